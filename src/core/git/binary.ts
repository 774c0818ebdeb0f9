/** Whether git takes a blob for binary: a NUL among its first 8000 bytes (`buffer_is_binary` in git's xdiff-interface.c). */

const LOOKED_AT = 8000;

export const isBinary = (bytes: Uint8Array): boolean => bytes.subarray(0, LOOKED_AT).includes(0);
