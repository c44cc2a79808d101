import type { Input, Site } from '../../../../packages/client/src/marquee-client.ts';
import { COLOR_NAMES, type ColorName, DEFAULT_COLORS } from '../../../../src/lib/theme.ts';
import { call } from '../../../client/call.ts';
import { contentLanguage } from '../../data/content-language.ts';
import { queries, read, refresh } from '../../data/queries.ts';
import { amountField, minorUnits } from '../../i18n/formats.ts';
import type { RecordKind } from '../../shared/record/use-record.ts';
import { changedWays } from './payment-way.ts';

/** Forms of the site's settings: each has some of the fields, and its own unsaved changes. */

type SiteChange = Input<'PATCH /admin/v1/site'>;
type OwnText = 'name' | 'tagline' | 'about' | 'terms' | 'privacy' | 'refunds';

/** There is one site. */
export const SITE = 1;

const siteQuery = () => read('GET /admin/v1/site');

/** Kind whose fields `changeOf` turns into parameters. */
const siteKind = <F extends Readonly<Record<string, unknown>>>(
  form: string,
  fieldsOf: (site: Site) => F,
  changeOf: (patch: Partial<F>, present: Site | undefined) => SiteChange,
): RecordKind<Site, F> => ({
  path: '/admin/v1/site',
  form,
  fieldsOf,
  read: siteQuery,
  write: (_id, patch, options) =>
    call('PATCH /admin/v1/site', changeOf(patch, queries.getQueryData(siteQuery().queryKey)), options),
  isDraft: () => false,
});

/** Whether a text of the site exists in the content language and is no fallback. */
export const hasOwn = ({ translations }: Site, name: string): boolean =>
  translations?.[contentLanguage() ?? '']?.includes(name) === true;

const own = (site: Site, name: OwnText): string => (hasOwn(site, name) ? site[name] : '');

/** Texts as parameters: an empty one is cleared. */
const cleared = (texts: Readonly<Record<string, string | undefined>>): Record<string, string | null> =>
  Object.fromEntries(
    Object.entries(texts).flatMap(([name, text]) => (text === undefined ? [] : [[name, text || null]])),
  );

const isGiven = (values: object): boolean => Object.keys(values).length > 0;

export const generalKind = siteKind(
  'general',
  (site) => ({
    name: own(site, 'name'),
    tagline: own(site, 'tagline'),
    ...site.contact,
    legal_links: hasOwn(site, 'legal_links') ? site.legal_links : [],
    about: own(site, 'about'),
    privacy: own(site, 'privacy'),
  }),
  ({ email, phone, address, legal_links, ...texts }) => {
    const contact = cleared({ email, phone, address });
    return { ...cleared(texts), ...(legal_links && { legal_links }), ...(isGiven(contact) && { contact }) };
  },
);

/** A default colour is sent as null, so that it follows later defaults. */
const sentColor = (name: ColorName, color: string) => [
  name,
  color.toLowerCase() === DEFAULT_COLORS[name] ? null : color,
];

export const lookKind = siteKind(
  'look',
  ({ colors, logo }) => ({ ...colors, logo: logo && { id: logo.id, url: logo.url } }),
  ({ logo, ...colors }) => {
    const sent = COLOR_NAMES.flatMap((name) => (colors[name] === undefined ? [] : [sentColor(name, colors[name])]));
    return {
      ...(logo !== undefined && { logo: logo?.id ?? null }),
      ...(sent.length > 0 && { colors: Object.fromEntries(sent) }),
    };
  },
);

export const calendarKind = siteKind(
  'calendar',
  ({ timezone, collapse_series, address_words }) => ({ timezone, collapse_series, address_words }),
  // The server reports words that it does not know.
  (patch) => patch as SiteChange,
);

type SellerFields = Record<'seller_name' | 'seller_address' | 'vat_number' | 'seller_note' | 'number_prefix', string>;

/** Members of the seller, apart from texts of the site. */
function sellerChange(patch: Partial<SellerFields> & Readonly<Record<string, string | undefined>>): SiteChange {
  const { seller_name, seller_address, vat_number, seller_note, number_prefix, ...texts } = patch;
  const seller = cleared({
    name: seller_name,
    address: seller_address,
    vat_number,
    note: seller_note,
    prefix: number_prefix,
  });
  return { ...cleared(texts), ...(isGiven(seller) && { seller }) };
}

/** Amounts in a text; the server refuses invalid ones. */
const amountsIn = (text: string, currency: string): number[] =>
  text
    .split(';')
    .filter((one) => one.trim() !== '')
    .map((one) => minorUnits(one, currency) ?? 0);

export const saleKind = siteKind(
  'sale',
  (site) => ({
    cancellation: site.cancellation,
    payment_ways: site.payment_ways,
    terms: own(site, 'terms'),
    refunds: own(site, 'refunds'),
    currency: site.currency,
    currency_symbol: site.currency_symbol,
    seller_name: site.seller?.name ?? '',
    seller_address: site.seller?.address ?? '',
    vat_number: site.seller?.vat_number ?? '',
    seller_note: site.seller?.note ?? '',
    number_prefix: site.seller?.prefix ?? '',
    accepts_donations: site.accepts_donations,
    donation_amounts: site.donation_amounts.map((minor) => amountField(minor, site.currency)).join('; '),
  }),
  ({ cancellation, payment_ways, currency, accepts_donations, donation_amounts, ...others }, present) => ({
    ...sellerChange(others),
    ...(currency !== undefined && { currency }),
    ...(accepts_donations !== undefined && { accepts_donations }),
    ...(donation_amounts !== undefined && {
      donation_amounts: amountsIn(donation_amounts, currency ?? present?.currency ?? ''),
    }),
    ...(cancellation && { cancellation }),
    ...(payment_ways && { payment_ways: changedWays(payment_ways, present?.payment_ways ?? []) }),
  }),
);

export const languagesKind = siteKind(
  'languages',
  ({ languages }) => ({ languages }),
  (patch) => patch,
);

const factorKind = siteKind(
  'sign-in',
  ({ second_factor_roles = [] }) => ({ second_factor_roles }),
  (patch) => patch,
);

export const signInKind: typeof factorKind = {
  ...factorKind,
  async write(...sent) {
    const written = await factorKind.write(...sent);
    // The user's account may now need a second factor.
    void refresh('/admin/v1/me');
    return written;
  },
};
