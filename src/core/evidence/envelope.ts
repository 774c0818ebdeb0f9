/** The three fields that open every structured answer. */
import { CONTRACT, PRODUCT } from "../../schema/common.ts";

export const envelopeOf = <K extends string>(kind: K) =>
  ({ product: PRODUCT, contract: CONTRACT, kind }) as const;
