import type { Config } from '../../base/config.ts';
import { withChoices } from '../../base/site-config.ts';
import type { Database } from '../../db/database.ts';
import {
  type ChosenSettings,
  DOOR,
  ensureFirstLanguage,
  lockSiteSettings,
  readSiteSettings,
  type SiteTexts,
  type StoredSite,
  saveSiteSettings,
} from '../../db/site-settings.ts';
import type { InputOf, RequestContext } from '../../http/core/endpoint.ts';
import { invalidParam } from '../../http/core/errors.ts';
import { checkRevision } from '../../http/core/revisions.ts';
import { decimalsOf } from '../../lib/money/money.ts';
import { cleanHtml, paragraphs } from '../../lib/text/html.ts';
import { byKey } from '../../lib/text/list.ts';
import { DEFAULT_COLORS, findWeakPairs, type WeakPair } from '../../lib/theme.ts';
import { logChange } from '../audit/log.ts';
import { findImages } from '../media/images.ts';
import { auditedSite, SITE_ID } from './audited.ts';
import type { PaymentMethodInput, siteFields } from './fields.ts';
import { isRemoteGateway, MANUAL, missingSettings } from './payment-gateways.ts';
import { isStandardPaymentMethod, RESERVED_PAYMENT_METHODS } from './settings.ts';

export type SiteChange = Partial<InputOf<typeof siteFields>>;

/**
 * Changes the settings that were sent, and the texts of one language.
 * @throws {OutdatedRevision}
 * @throws {InvalidParams} if an image does not exist, colours have too little contrast, or a payment method has no name
 *   or cannot have its gateway
 */
export async function changeSite(change: SiteChange, ctx: RequestContext): Promise<void> {
  const { context, askedLanguage } = ctx;
  const language = askedLanguage ?? context.config.languages[0] ?? 'en';
  // Runs outside the transaction, because cleaning a long text takes a tenth of a second.
  const texts = cleanTexts(change);
  await context.db.transaction(async (trx) => {
    await lockSiteSettings(trx);
    const before = await readSiteSettings(trx);
    checkRevision(ctx, before);
    const after = changed(before, change, { language, texts });
    check(after, change);
    checkGateways(context.config, { before, after });
    await checkChoices(trx, ctx.context.config, { before, after });
    if (change.logo && !(await findImages(trx, [change.logo])).has(change.logo))
      throw invalidParam('logo', 'param.image_unknown');
    const isSame = JSON.stringify(after) === JSON.stringify(before);
    if (isSame) return;
    await logChange(trx, ctx.actor, { kind: auditedSite, id: SITE_ID }, () =>
      saveSiteSettings(trx, { ...after, revision: before.revision + 1 }),
    );
  });
}

const PLAIN = ['name', 'tagline'] as const;
const HTML = ['about', 'terms', 'privacy', 'refunds'] as const;

type TextChanges = { [K in (typeof PLAIN)[number] | (typeof HTML)[number]]?: string };

/** Cleans the texts that were sent; empty ones are cleared. */
function cleanTexts(change: SiteChange): TextChanges {
  const plain = PLAIN.flatMap((name) => (change[name] === undefined ? [] : [[name, change[name] ?? '']]));
  const html = HTML.flatMap((name) =>
    change[name] === undefined ? [] : [[name, paragraphs(cleanHtml(change[name] ?? ''))]],
  );
  return Object.fromEntries([...plain, ...html]);
}

interface TextWrite {
  language: string;
  texts: TextChanges;
}

/** The settings after a change. */
function changed(before: StoredSite, change: SiteChange, { language, texts }: TextWrite): StoredSite {
  const ways = change.payment_ways;
  const own = Object.hasOwn(before.texts, language) ? (before.texts[language] ?? {}) : {};
  const changes: SiteTexts = {
    ...texts,
    ...(change.legal_links !== undefined && { legal_links: change.legal_links ?? [] }),
    ...(ways && { payment_ways: wayTexts(own.payment_ways ?? {}, ways) }),
  };
  return {
    ...before,
    logo_id: change.logo === undefined ? before.logo_id : change.logo,
    colors: merged(before.colors, change.colors),
    contact: merged(before.contact, change.contact),
    cancellation: change.cancellation ?? before.cancellation,
    payment_ways: ways ? ways.map((way) => storedWay(way, before)) : before.payment_ways,
    address_words: change.address_words === undefined ? before.address_words : (change.address_words ?? []),
    second_factor_roles: change.second_factor_roles ?? before.second_factor_roles,
    collapse_series: change.collapse_series === undefined ? before.collapse_series : change.collapse_series === true,
    sends_reminders: change.sends_reminders === undefined ? before.sends_reminders : change.sends_reminders === true,
    seller: merged(before.seller, change.seller),
    accepts_donations:
      change.accepts_donations === undefined ? before.accepts_donations : change.accepts_donations === true,
    donation_amounts: change.donation_amounts === undefined ? before.donation_amounts : (change.donation_amounts ?? []),
    languages: change.languages === undefined ? before.languages : change.languages,
    timezone: change.timezone === undefined ? before.timezone : change.timezone,
    currency: change.currency === undefined ? before.currency : change.currency,
    currency_symbol: change.currency_symbol === undefined ? before.currency_symbol : change.currency_symbol,
    texts: { ...withoutWays(before.texts, ways), [language]: filled({ ...own, ...changes }) },
  };
}

/** Members after a change: null removes one member, or all. */
function merged<T extends Readonly<Record<string, string | undefined>>>(
  before: T,
  change: { readonly [K in keyof T]?: string | null } | null | undefined,
): T {
  if (change === undefined) return before;
  const all = Object.entries(change === null ? {} : { ...before, ...change });
  // The result is a subset of the members of T, all of which are optional.
  return Object.fromEntries(all.filter(([, value]) => value !== null).sort()) as T;
}

const storedWay = ({ id, hold_hours, at_door, gateway }: PaymentMethodInput, { payment_ways }: StoredSite) => {
  const kept = payment_ways.find((way) => way.id === id);
  return {
    id,
    at_door: (at_door === undefined ? kept?.at_door : at_door) ?? id === DOOR,
    hold_hours: hold_hours === undefined ? (kept?.hold_hours ?? null) : hold_hours,
    gateway: (gateway === undefined ? kept?.gateway : gateway) ?? MANUAL,
  };
};

type WayTexts = NonNullable<SiteTexts['payment_ways']>;

/** Texts of payment methods in the language of the request. */
function wayTexts(before: WayTexts, ways: readonly PaymentMethodInput[]): WayTexts {
  const texts = ways.map(({ id, name, text }): [string, WayTexts[string]] => {
    const own = Object.hasOwn(before, id) ? before[id] : {};
    return [
      id,
      filled({
        ...own,
        ...(name !== undefined && { name: name ?? '' }),
        ...(text !== undefined && { text: text ?? '' }),
      }),
    ];
  });
  return Object.fromEntries(texts.filter(([, own]) => Object.keys(own).length > 0));
}

/** Texts in all languages, without removed payment methods. */
function withoutWays(texts: StoredSite['texts'], ways: readonly PaymentMethodInput[] | undefined): StoredSite['texts'] {
  if (!ways) return texts;
  const isKept = ([id]: [string, unknown]) => ways.some((way) => way.id === id);
  const left = Object.entries(texts).map(([language, { payment_ways = {}, ...own }]) => [
    language,
    filled({ ...own, payment_ways: Object.fromEntries(Object.entries(payment_ways).filter(isKept)) }),
  ]);
  return Object.fromEntries(left);
}

/** Removes empty texts, lists and objects, and sorts the rest, so that equal texts are equal as JSON. */
const filled = <T extends object>(texts: T): T =>
  // Every text is optional.
  Object.fromEntries(
    Object.entries(texts)
      .filter(([, value]) => value !== '' && Object.keys(value).length > 0)
      .sort(byKey),
  ) as T;

/** Maximum number of pairs named by an error. */
const MAX_PAIRS = 6;

const inWords = ({ color, ground, scheme, ratio, needed }: WeakPair): string => {
  const ending = scheme === 'dark' ? '_dark' : '';
  // Rounded down: 4.499 is not enough.
  return `${color}${ending}/${ground}${ending} ${(Math.floor(ratio * 100) / 100).toFixed(2)} (${needed})`;
};

function check({ colors, payment_ways, texts }: StoredSite, change: SiteChange): void {
  const weak = change.colors ? findWeakPairs({ ...DEFAULT_COLORS, ...colors }) : [];
  const pairs = weak.slice(0, MAX_PAIRS).map(inWords).join(', ');
  if (weak.length > 0) throw invalidParam('colors', 'param.contrast', { pairs });
  if (change.payment_ways?.some(({ id }) => RESERVED_PAYMENT_METHODS.has(id)))
    throw invalidParam('payment_ways', 'param.payment_way_reserved', { ids: [...RESERVED_PAYMENT_METHODS].join(', ') });
  const hasName = (id: string) => Object.values(texts).some((own) => own.payment_ways?.[id]?.name !== undefined);
  if (!payment_ways.every(({ id }) => isStandardPaymentMethod(id) || hasName(id)))
    throw invalidParam('payment_ways', 'param.payment_ways');
}

/**
 * A method that had its gateway before keeps it even if the server lost its settings, so that the others can be changed.
 * @throws {InvalidParams}
 */
function checkGateways(config: Config, { before, after }: { before: StoredSite; after: StoredSite }): void {
  for (const { id, gateway, at_door } of after.payment_ways) {
    if (at_door && isRemoteGateway(gateway))
      throw invalidParam('payment_ways', 'param.gateway_at_door', { id, gateway });
    const isKept = before.payment_ways.some((way) => way.id === id && way.gateway === gateway);
    const settings = isKept ? [] : missingSettings(config, gateway);
    if (settings.length > 0)
      throw invalidParam('payment_ways', 'param.gateway_settings', { gateway, settings: settings.join(', ') });
  }
}

interface Choosing {
  before: ChosenSettings;
  after: ChosenSettings;
}

/**
 * Checks chosen settings against existing records: their texts are in the first language, and their prices in minor
 * units of the currency. Runs in a transaction, since this also settles the first language of an empty site.
 * @throws {InvalidParams}
 */
async function checkChoices(trx: Database, config: Config, { before, after }: Choosing): Promise<void> {
  const [from, to] = [withChoices(config, before), withChoices(config, after)];
  const [first = 'en'] = to.languages;
  if (first !== from.languages[0]) {
    const settled = await ensureFirstLanguage(trx, first);
    if (settled !== first) throw invalidParam('languages', 'param.first_language', { first: settled });
  }
  if (decimalsOf(to.currency) !== decimalsOf(from.currency) && (await hasPrices(trx)))
    throw invalidParam('currency', 'param.currency_decimals', { currency: from.currency });
}

async function hasPrices({ query }: Database): Promise<boolean> {
  const priced = [
    query.selectFrom('tickets').select('id').where('price', '>', 0).limit(1),
    query.selectFrom('fees').select('id').where('fixed', '>', 0).limit(1),
    query
      .selectFrom('promotions')
      .select('id')
      .where((eb) => eb.or([eb('kind', '<>', 'percent'), eb('minimum', '>', 0)]))
      .limit(1),
  ];
  for (const found of priced) if (await found.executeTakeFirst()) return true;
  return false;
}
