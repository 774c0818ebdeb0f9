/**
 * What the command line reads of its surroundings. A variable that is set and empty counts as unset: that is how CI systems
 * hand on a secret that is not there.
 */
export type Environment = Readonly<Record<string, string | undefined>>;

export const readEnvironment = (environment: Environment): Environment =>
  Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined && value !== ""));
