/**
 * `/robots.txt` (RFC 9309): pages about the service may be crawled. Tools and citation pages may not: each fetch may cost
 * requests to the hosting site, out of a budget that callers need.
 */
export const ROBOTS_TEXT = `User-agent: *
Allow: /$
Allow: /docs
Allow: /llms.txt
Allow: /openapi.json
Allow: /.well-known/
Allow: /mcp/server-card
Disallow: /
`;
