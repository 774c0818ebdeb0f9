// Base64 as GitHub writes it (lines of 60 characters, each ended by a newline; nothing for nothing) and as it reads it
// (RFC 4648, line ends anywhere).

export function wrapBase64(content: Buffer): string {
  return content.toString("base64").replace(/.{1,60}/g, "$&\n");
}

/** Null for what is no Base64. */
export function decodeBase64(text: string): Buffer | null {
  const plain = text.replace(/[\r\n]/g, "");
  return /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(plain)
    ? Buffer.from(plain, "base64")
    : null;
}
