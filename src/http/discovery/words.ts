/** The service in one sentence of each length: pages, cards and documents say the same. */

export const instructionsForReaders =
  "Evidence from hosted git: exact bytes at a full commit SHA, exact search at that SHA, and a verdict that anyone can re-check with plain git.";

/** 100 characters at most: the bound of MCP's registry and of server cards. */
export const SHORT_DESCRIPTION =
  "Evidence from hosted git: exact lines at a commit SHA, exact search, verdicts you can re-check.";
