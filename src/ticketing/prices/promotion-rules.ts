import type { Selectable } from 'kysely';
import type { PromotionsTable } from '../../db/tables/price.ts';
import { normalized } from '../../lib/text/text.ts';
import { type Discount, isOfEvent, type ListedLine, reductionOf } from './order-prices.ts';

/** When a promotion code reduces the prices of a cart, by how much, and which hidden tickets it opens. */

export type Promotion = Selectable<PromotionsTable>;

/** Maximum length of a code. */
export const MAX_CODE = 60;
/** Maximum length of a code as visitors enter it, with spaces and characters that do not count. */
export const MAX_ENTERED = 200;

/** White space, and characters that are not seen. */
const UNSEEN = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/gu;

/** Key of a code: letter case, spaces and Unicode forms do not matter. */
export const codeKey = (code: string): string =>
  // Other letters may compose once a character between them is removed, or once they are capitals.
  normalized(normalized(code, 'NFKC').replace(UNSEEN, '').toUpperCase(), 'NFKC');

/** Reasons why a code that exists does not apply. */
export const PROMOTION_REFUSALS = [
  'not-begun',
  'ended',
  'used-up',
  'other-tickets',
  'opens-nothing',
  'minimum',
  'customer',
] as const;
export type PromotionRefusal = (typeof PROMOTION_REFUSALS)[number];

/** The refusal of a promotion whatever the cart holds. */
export function refusalAt(
  { from_utc, until_utc, max_uses, used }: Promotion,
  now: string,
): PromotionRefusal | undefined {
  if (from_utc > now) return 'not-begun';
  if (until_utc !== '' && until_utc <= now) return 'ended';
  return max_uses !== null && used >= max_uses ? 'used-up' : undefined;
}

/** The refusal of a promotion for the lines of a cart. */
export function refusalFor(
  promotion: Promotion,
  lines: readonly ListedLine[],
  now: string,
): PromotionRefusal | undefined {
  const refusal = refusalAt(promotion, now);
  if (refusal) return refusal;
  const isConcerned = isFor(promotion);
  const concerned = lines.filter(isConcerned);
  const discount = discountOf(promotion);
  const isOpening = concerned.some((line) => line.isHidden && opensLine(promotion)(line));
  if (!discount && !isOpening) return 'opens-nothing';
  if (discount && !isOpening && reductionOf(lines, discount) === 0) return 'other-tickets';
  const sum = concerned.reduce((all, { price, quantity }) => all + price * quantity, 0);
  return sum < promotion.minimum ? 'minimum' : undefined;
}

/** Tickets that a promotion names; of a series pass its `pass_id`. Only the endpoints of promotions write the column. */
export const ticketsOf = ({ ticket_ids }: Promotion): number[] => JSON.parse(ticket_ids) as number[];

/** Tests if a promotion opens the ticket of a line. */
const opensLine = (promotion: Promotion) => {
  const isOpened = opener(promotion);
  return ({ ticket_id: id, ...line }: ListedLine): boolean => isOpened({ ...line, id });
};

/**
 * Tests if a promotion applies to a line. It applies to series passes only if it names them or has no limits. A
 * promotion for access applies to the hidden tickets that it opens.
 */
function isFor(promotion: Promotion): (line: ListedLine) => boolean {
  if (promotion.kind === 'access') {
    const isOpened = opensLine(promotion);
    return (line) => line.isHidden === true && isOpened(line);
  }
  const ids = new Set(ticketsOf(promotion));
  return (line) => {
    const { pass_id = null, ticket_id } = line;
    const isNamed = ids.has(pass_id ?? ticket_id);
    return isNamed && pass_id !== null ? true : (isNamed || ids.size === 0) && isOfEvent(line, promotion.event_id);
  };
}

/** The discount of a promotion; none for access. */
export function discountOf(promotion: Promotion): Discount | undefined {
  const { kind, value } = promotion;
  return kind === 'access' ? undefined : { kind, value, appliesTo: isFor(promotion) };
}

/** Identity of a ticket, as promotions name it. */
export interface NamedTicket {
  id: number;
  event_id: number;
  pass_id?: number | null;
}

/**
 * Whether a promotion opens all hidden tickets of its event except series passes: it is for access, and names no
 * tickets.
 */
export const opensEvent = (promotion: Promotion): boolean =>
  promotion.kind === 'access' && promotion.event_id !== null && ticketsOf(promotion).length === 0;

/**
 * Tests which hidden tickets a promotion opens: those that it names, whatever its kind. A promotion for access that
 * names none opens the hidden tickets of its event.
 */
export function opener(promotion: Promotion | undefined): (ticket: NamedTicket) => boolean {
  if (!promotion) return () => false;
  const ids = new Set(ticketsOf(promotion));
  const { event_id } = promotion;
  const isWhole = opensEvent(promotion);
  return ({ id, event_id: of, pass_id = null }) => {
    if (pass_id !== null) return ids.has(pass_id);
    return (isWhole || ids.has(id)) && (event_id === null || event_id === of);
  };
}
