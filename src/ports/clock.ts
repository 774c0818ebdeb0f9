/** Time, handed in, so that core and tests never read the machine's clock. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
}
