/** Results as lines that a person can read: verdict first, then the citation. For `text/plain` and the command line. */
import { printable } from "../core/printable.ts";
import type { Catalog } from "../schema/catalog.ts";
import type { EvidencePack, EvidenceSlice } from "../schema/evidence.ts";
import type { VerificationReport } from "../schema/verification.ts";

export function packText(pack: EvidencePack): string {
  const hash = pack.contentSha256 === null ? "" : `  sha256:${pack.contentSha256}`;
  const reason = pack.reason === null ? "" : `  ${pack.reason}`;
  const claim =
    pack.claimTextMatch === null ? "" : pack.claimTextMatch ? "  claim text found" : "  claim text NOT found";
  return printable(`${pack.status}  ${pack.citation.cite}${hash}${claim}${reason}`);
}

export function sliceText(slice: EvidenceSlice): string {
  const hash = slice.contentSha256 === null ? "" : `  sha256:${slice.contentSha256}`;
  const reason = slice.reason === null ? "" : `  ${slice.reason}`;
  const first = printable(`${slice.status}  ${slice.citation.cite}${hash}${reason}`);
  if (slice.entries !== null) {
    const names = slice.entries.map((entry) =>
      printable(`${entry.entryType.padEnd(10)}  ${(entry.id ?? "blocked").padEnd(40)}  ${entry.name}`),
    );
    return [first, ...names].join("\n");
  }
  return slice.encoding === "utf-8" && slice.content !== null ? `${first}\n${slice.content}` : first;
}

export function reportText(report: VerificationReport): string {
  const freshness = report.freshness === null ? "" : `  ${report.freshness}`;
  return printable(`${report.status}${freshness}  ${report.citation.cite}  ${report.reason}`);
}

export function catalogText(answer: Catalog): string {
  const { stale, readAt } = answer.registry;
  const rows = answer.repositories.map((row) =>
    printable(
      `${row.status}${row.stale ? " stale" : ""}  ${row.repository}@${row.headSha ?? "-"}  ${row.reason ?? ""}`,
    ).trimEnd(),
  );
  if (stale !== null) rows.push(`the registry is that of ${readAt}: ${stale.reason}`);
  return rows.join("\n");
}
