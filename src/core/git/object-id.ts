/**
 * Git object ids as text. Owns: what a full id looks like.
 * Refuses: SHA-256 repositories (GitHub has none) and upper-case ids in output (input is lower-cased).
 */

/** 40 lower-case hex digits. */
export type ObjectId = string;

const FULL = /^[0-9a-f]{40}$/;

export const isObjectId = (text: string): text is ObjectId => FULL.test(text);
