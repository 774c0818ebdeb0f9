/**
 * What must be true of the Worker that parses source before it is deployed: that it is the one the other Worker is bound to, under
 * a name of its own in each environment, and that it holds and reaches nothing. Reads both configurations, parsed.
 */
import * as z from "zod";

/** What its configuration may hold: no variable, no binding, no route. */
const PLAIN = [
  "name",
  "main",
  "workers_dev",
  "preview_urls",
  "keep_names",
  "minify",
  "compatibility_date",
  "compatibility_flags",
  "send_metrics",
  "observability",
  "limits",
];

const second = z.looseObject({
  name: z.string(),
  workers_dev: z.literal(false),
  compatibility_date: z.string(),
});
const bound = z.looseObject({
  services: z.array(z.looseObject({ binding: z.string(), service: z.string() })).optional(),
});
const first = bound.extend({ compatibility_date: z.string(), env: z.record(z.string(), bound).optional() });

export interface EntitiesChecked {
  faults: string[];
  notes: string[];
  /** The name that it is deployed under; null where it is not deployed. */
  name: string | null;
}

/** `main`: wrangler.toml, `entities`: wrangler.entities.toml, `environment`: as after `--env`. */
export function checkEntities(main: unknown, entities: unknown, environment: string | null): EntitiesChecked {
  const one = first.safeParse(main);
  const other = second.safeParse(entities);
  // What is wrong with the first file is said by its own checks.
  if (!one.success) return { faults: [], notes: [], name: null };
  if (!other.success) {
    const where = other.error.issues.map((issue) => issue.path.join(".")).join(", ");
    return fault(`wrangler.entities.toml is not as it was delivered: ${where}. Take it from this version.`);
  }
  const services = (environment === null ? one.data : one.data.env?.[environment])?.services ?? [];
  const service = services.find(({ binding }) => binding === "ENTITIES")?.service;
  if (service === undefined) {
    const note = "ENTITIES is not bound, so no source is parsed: entities can be neither listed nor changed.";
    return { faults: [], notes: [note], name: null };
  }
  // As wrangler names the Worker of an environment; another name could be that of any Worker of the account.
  const name = environment === null ? other.data.name : `${other.data.name}-${environment}`;
  const faults: string[] = [];
  if (service !== name)
    faults.push(`ENTITIES is bound to the service ${service}. Bind it to ${name}: that is what is deployed.`);
  const more = Object.keys(other.data).filter((key) => !PLAIN.includes(key));
  if (more.length > 0)
    faults.push(
      `wrangler.entities.toml sets ${more.join(", ")}. Take it out: what parses source holds nothing and reaches nothing.`,
    );
  if (other.data.compatibility_date !== one.data.compatibility_date)
    faults.push(
      `wrangler.entities.toml has another compatibility_date than wrangler.toml. Set it to ${one.data.compatibility_date}.`,
    );
  return { faults, notes: [], name };
}

const fault = (text: string): EntitiesChecked => ({ faults: [text], notes: [], name: null });
