/** SQLite as a Durable Object has it: synchronous, one statement a call. `SqlStorage` fits as it is. */
export interface Sql {
  exec<T extends Record<string, SqlStorageValue>>(
    query: string,
    ...bindings: (string | number | null)[]
  ): { toArray(): T[] };
}
