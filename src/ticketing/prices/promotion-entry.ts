import type { GuardedContext } from '../../http/core/endpoint.ts';
import { ApiError } from '../../http/core/errors.ts';
import { filledText } from '../../http/input/schemas.ts';
import { toUtc } from '../../lib/dates/dates.ts';
import { codeKey, MAX_ENTERED, type Promotion, type PromotionRefusal, refusalAt } from './promotion-rules.ts';
import { findPromotionByKey } from './promotion-uses.ts';

/** Promotion codes that visitors enter. */

/** Parameter of reads. Its name is among `SECRETS` of http/input/parsed-request.ts, so that no response is shared. */
export const promotionField = filledText('Promotion code, which opens the hidden tickets that it names.', {
  max: MAX_ENTERED,
});

export const promotionRefused = (reason: PromotionRefusal): ApiError =>
  new ApiError('promotion-not-valid', { data: { reason }, message: `promotion.${reason}` });

/**
 * Finds the promotion of a code. Unknown codes count as wrong guesses of the network. Must not be called inside a
 * transaction.
 * @throws {ApiError} promotion-unknown, promotion-not-valid, too_many_attempts
 */
export async function admitPromotion(ctx: GuardedContext, code: string): Promise<Promotion> {
  const { db } = ctx.context;
  const key = codeKey(code);
  const attempt = { kind: 'promotion-code', secret: key, stored: 'any', client: ctx.client } as const;
  const isRight = await ctx.limits.checkSecret(attempt, async () => (await findPromotionByKey(db, key)) !== undefined);
  const promotion = isRight ? await findPromotionByKey(db, key) : undefined;
  if (!promotion) throw new ApiError('promotion-unknown');
  const refusal = refusalAt(promotion, toUtc(ctx.now));
  if (refusal) throw promotionRefused(refusal);
  return promotion;
}
