// Base64 as GitHub writes it: lines of 60 characters, each ended by a newline; nothing for nothing.

export function wrapBase64(content: Buffer): string {
  return content.toString("base64").replace(/.{1,60}/g, "$&\n");
}
