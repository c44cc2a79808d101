import type { z } from 'zod';
import type { CancellationRule, LegalLink, PathAlias, SiteContact } from '../../db/site-settings.ts';
import { isRole, ROLE_NAMES, type Role } from '../../http/core/auth.ts';
import {
  boolean,
  clearable,
  email,
  field,
  integer,
  oneOf,
  plainBlock,
  plainLine,
  text,
  translatable,
  url,
  zone,
} from '../../http/input/schemas.ts';
import { languageTag } from '../../lib/i18n.ts';
import { LINKED_KIND_NAMES } from '../../lib/linked-kinds.ts';
import { isCurrencyCode, MAX_CHOSEN } from '../../lib/money/money.ts';
import { isRecord, membersOf } from '../../lib/text/list.ts';
import { scalarText } from '../../lib/text/scalar-text.ts';
import { isLongerThan, withoutEnds } from '../../lib/text/text.ts';
import { COLOR_NAMES, type ColorName } from '../../lib/theme.ts';
import { nullable, objectSchema, propertiesOf, readObject } from './object-fields.ts';
import { GATEWAYS } from './payment-gateways.ts';
import { seller } from './seller.ts';
import { VARIABLES } from './settings.ts';

/** Parameters of `PATCH /site`. null clears a setting. */

const MAX_LINKS = 20;
const MAX_WAYS = 10;
const MAX_WORDS = 50;
const MAX_ADDRESS = 500;
const MAX_INSTRUCTIONS = 2000;
/** One year. */
const MAX_HOURS = 8760;

/** Reads a list of objects; undefined if it is too long or an item is invalid. */
function readList<T>(value: unknown, max: number, read: (item: unknown) => T | undefined): T[] | undefined {
  const members = typeof value === 'object' ? membersOf(value) : undefined;
  if (!members || members.length > max) return undefined;
  const items = members.flatMap((member) => read(member) ?? []);
  return items.length === members.length ? items : undefined;
}

const isUnique = <T>(items: readonly T[]): boolean => new Set(items).size === items.length;

const COLOR = /^#[0-9a-f]{6}$/i;
const colorSchema = { type: ['string', 'null'], pattern: '^#[0-9A-Fa-f]{6}$' };

/** Colours by name; null for the default. */
const colors = clearable(
  field<Partial<Record<ColorName, string | null>>>(
    {
      ...objectSchema('SiteColorsInput', Object.fromEntries(COLOR_NAMES.map((name) => [name, colorSchema]))),
      description:
        'Colours of the pages, as `#rrggbb`; omitted ones stay unchanged, null restores the default. Text needs a contrast of 4.5 and borders one of 3 in all pairs that pages use.',
    },
    'param.colors',
    (value) => {
      if (!isRecord(value)) return undefined;
      const entries = Object.entries(value);
      const isValid = entries.every(
        ([name, color]) =>
          COLOR_NAMES.some((known) => known === name) && (color === null || COLOR.test(scalarText(color) ?? '')),
      );
      if (!isValid) return undefined;
      return Object.fromEntries(entries.map(([name, color]) => [name, scalarText(color)?.toLowerCase() ?? null]));
    },
  ),
);

const contactFields = {
  email: clearable(email('E-mail address.')),
  phone: clearable(plainLine('Telephone number.', { max: 50 })),
  address: clearable(plainBlock('Postal address, in lines of plain text.', { max: MAX_ADDRESS })),
};

type ContactChange = Partial<Record<keyof SiteContact, string | null>>;

const contact = clearable(
  field<ContactChange>(
    {
      ...objectSchema('SiteContactInput', propertiesOf(contactFields)),
      description: 'Contact details of the site. Omitted members stay unchanged; null clears one.',
    },
    'param.contact',
    (value) => readObject(contactFields, value),
  ),
);

const linkFields = {
  label: plainLine('Text of the link.', { max: 100 }),
  url: url('URL with http or https.'),
};

const legalLinks = clearable(
  field<LegalLink[]>(
    {
      type: 'array',
      maxItems: MAX_LINKS,
      items: objectSchema('LegalLinkInput', propertiesOf(linkFields), ['label', 'url']),
      description: 'Links to external legal notices, shown in the footer of all pages.',
    },
    'param.legal_links',
    (value) => readList(value, MAX_LINKS, readLink),
  ),
);

function readLink(value: unknown): LegalLink | undefined {
  const { label, url: address } = readObject(linkFields, value) ?? {};
  const isWeb = typeof address === 'string' && /^https?:/i.test(address);
  return typeof label === 'string' && isWeb ? { label, url: address } : undefined;
}

const cancellationFields = {
  rule: oneOf('`never`; `free`: only free orders, until the event starts; `until`: all orders, up to a deadline.', [
    'never',
    'free',
    'until',
  ]),
  hours_before: clearable(integer('For `until`: deadline in hours before the start.', { max: MAX_HOURS })),
};

const cancellation = field<CancellationRule>(
  {
    ...objectSchema(
      'CancellationRuleInput',
      { rule: cancellationFields.rule.meta(), hours_before: nullable(cancellationFields.hours_before.meta() ?? {}) },
      ['rule'],
    ),
    description: 'When customers may cancel paid or free orders. They may always cancel pending orders.',
  },
  'param.cancellation',
  (value) => {
    const { rule, hours_before = null } = readObject(cancellationFields, value) ?? {};
    if (rule === 'until') return typeof hours_before === 'number' ? { rule, hours_before } : undefined;
    return (rule === 'never' || rule === 'free') && hours_before === null ? { rule } : undefined;
  },
);

/** A payment method as sent. An absent member stays unchanged; null clears it. */
export interface PaymentMethodInput {
  id: string;
  name?: string | null;
  text?: string | null;
  hold_hours?: number | null;
  at_door?: boolean | null;
  gateway?: string | null;
}

const WAY_ID = /^[a-z][a-z0-9-]{0,30}$/;

const wayFields = {
  id: field<string>(
    {
      type: 'string',
      pattern: WAY_ID.source,
      description: 'Permanent id, used by orders. `door`, `transfer` and `card` need no name.',
    },
    'param.payment_ways',
    (value) => (typeof value === 'string' && WAY_ID.test(value) ? value : undefined),
  ),
  name: translatable(clearable(plainLine('Name.', { max: 100 }))),
  text: translatable(
    clearable(plainBlock('Instructions for the customer, in lines of plain text.', { max: MAX_INSTRUCTIONS })),
  ),
  hold_hours: clearable(
    integer(
      'Hours that an unpaid order keeps its places; 0 for no limit, null for MARQUEE_ORDER_HOLD. With `at_door`: hours before the start of the event until which it keeps them; null until the event ends.',
      {
        max: MAX_HOURS,
      },
    ),
  ),
  at_door: clearable(
    boolean(
      'Whether the customer pays at the door: tickets have codes, which admit once the order is paid. By default for `door` only.',
    ),
  ),
  gateway: clearable(
    oneOf(
      'How the money arrives: `manual`, by default, and `transfer` are booked by staff; the others are payment services, for which the server needs settings.',
      GATEWAYS,
    ),
  ),
};

const paymentWays = field<PaymentMethodInput[]>(
  {
    type: 'array',
    maxItems: MAX_WAYS,
    items: objectSchema('PaymentWayInput', { ...propertiesOf(wayFields), id: wayFields.id.meta() }, ['id']),
    description: 'All payment methods, in order. Methods that are not sent are removed; texts in other languages stay.',
  },
  'param.payment_ways',
  (value) => {
    const ways = readList(value, MAX_WAYS, (item) => {
      const { id, ...rest } = readObject(wayFields, item) ?? {};
      return typeof id === 'string' ? { id, ...rest } : undefined;
    });
    return ways && isUnique(ways.map(({ id }) => id)) ? ways : undefined;
  },
);

const VIEWS = ['list', 'month', 'week', 'today', 'photo', 'places', 'past', 'featured', 'category', 'tag'];
/** First path segments of pages. */
const OWN_WORDS = ['event', 'events', ...VIEWS.map((view) => `events/${view}`), ...LINKED_KIND_NAMES, 'tag'];
const WORD = /^[\p{L}\p{N}_-]+$/u;
/** Maximum length of the beginning of a path. */
const MAX_WORD = 200;

const addressWords = clearable(
  field<PathAlias[]>(
    {
      type: 'array',
      maxItems: MAX_WORDS,
      items: objectSchema(
        'AddressWordInput',
        {
          from: {
            type: 'string',
            maxLength: MAX_WORD,
            description: 'Beginning of a path on the former site, such as `veranstaltung`.',
          },
          to: { type: 'string', enum: OWN_WORDS, description: 'Beginning of the current path.' },
        },
        ['from', 'to'],
      ),
      description: 'Beginnings of paths on a former site in another language, which redirect to pages of this one.',
    },
    'param.address_words',
    (value) => {
      const words = readList(value, MAX_WORDS, readWord);
      return words && isUnique(words.map(({ from }) => from)) ? words : undefined;
    },
  ),
);

function readWord(value: unknown): PathAlias | undefined {
  const { from, to, ...rest } = isRecord(value) ? value : {};
  if (typeof from !== 'string' || typeof to !== 'string' || Object.keys(rest).length > 0) return undefined;
  if (isLongerThan(from, MAX_WORD)) return undefined;
  const word = withoutEnds(from.normalize('NFC').toLowerCase(), '/');
  const isValid =
    word.split('/').every((part) => WORD.test(part)) && !OWN_WORDS.includes(word) && OWN_WORDS.includes(to);
  return isValid ? { from: word, to } : undefined;
}

const secondFactorRoles = field<Role[]>(
  {
    type: 'array',
    items: { type: 'string', enum: [...ROLE_NAMES] },
    description:
      'Roles that require a second factor. An account of these roles without one can only set it up, with a session; its password is refused otherwise.',
  },
  'param.list',
  (value) => {
    const roles = typeof value === 'object' ? membersOf(value) : undefined;
    return roles?.every((role): role is Role => typeof role === 'string' && isRole(role))
      ? [...new Set(roles)]
      : undefined;
  },
);

const html = (description: string) => translatable(clearable(text(`${description} HTML, which is cleaned.`)));

const MAX_LANGUAGES = 20;
/** Characters of a language tag, and of a symbol of a currency. */
const MAX_TAG = 35;
const MAX_SYMBOL = 10;

const languages = field<string[]>(
  {
    type: 'array',
    minItems: 1,
    maxItems: MAX_LANGUAGES,
    items: { type: 'string', maxLength: MAX_TAG },
    description:
      'Content languages, as BCP 47 tags. The first one is the language of the records themselves: it can only change while there are no records. Texts in a removed language are stored and reappear with it.',
  },
  'param.languages',
  (value) => {
    const tags = readList(value, MAX_LANGUAGES, (tag) =>
      typeof tag === 'string' && tag.length <= MAX_TAG ? languageTag(tag.trim()) : undefined,
    );
    return tags && tags.length > 0 && isUnique(tags) ? tags : undefined;
  },
);

const currency = field<string>(
  {
    type: 'string',
    pattern: '^[A-Z]{3}$',
    description:
      'Currency of ticket prices, as an ISO 4217 code. Prices keep their figures; once there are any, only a currency with the same number of decimals is accepted.',
  },
  'param.currency',
  (value) => (typeof value === 'string' && isCurrencyCode(value) ? value : undefined),
);

/** A setting that the environment of the server may fix. */
const choice = <T>(schema: z.ZodType<T>, setting: keyof typeof VARIABLES): z.ZodType<T | null> => {
  const { description = '', ...json } = schema.meta() ?? {};
  const where = `Refused if ${VARIABLES[setting]} is set; null for the default.`;
  return clearable(schema.meta({ ...json, description: `${description} ${where}` }));
};

const MAX_SUGGESTIONS = 6;

const donationAmounts = field<number[]>(
  {
    type: 'array',
    items: { type: 'integer', minimum: 1, maximum: MAX_CHOSEN },
    maxItems: MAX_SUGGESTIONS,
    description: 'Suggested donations, in the smallest unit of the currency.',
  },
  'param.donation_amounts',
  (value) => {
    const amounts = Array.isArray(value) ? value.map((one) => donationAmount.safeParse(one)) : undefined;
    const read = amounts?.flatMap(({ data }) => data ?? []);
    return read && read.length === amounts?.length && read.length <= MAX_SUGGESTIONS ? read : undefined;
  },
);
const donationAmount = integer('', { min: 1, max: MAX_CHOSEN });

export const siteFields = {
  name: translatable(clearable(plainLine('Name of the site.', { max: 100 }))),
  tagline: translatable(clearable(plainLine('Description of the site in a few words.', { max: 200 }))),
  about: html('About the site.'),
  terms: html('Terms of sale, which customers accept.'),
  privacy: html('Privacy policy.'),
  refunds: html('Instructions to holders of paid tickets for the case that an event is cancelled; shown on its page.'),
  logo: clearable(integer('Id of the uploaded image shown as logo.', { min: 1 })),
  colors,
  contact,
  legal_links: translatable(legalLinks),
  cancellation,
  payment_ways: paymentWays,
  address_words: addressWords,
  second_factor_roles: secondFactorRoles,
  collapse_series: clearable(
    boolean('Whether public lists have each series once, by its next event; by default they have all of its events.'),
  ),
  sends_reminders: clearable(
    boolean('Whether holders of tickets are reminded of events by mail, the day before; by default they are not.'),
  ),
  seller,
  accepts_donations: clearable(boolean('Whether customers may donate beside their tickets; by default they may not.')),
  donation_amounts: clearable(donationAmounts),
  languages: choice(languages, 'languages'),
  timezone: choice(zone('Time zone of the site: an IANA name, or an offset such as `UTC+2`.'), 'timezone'),
  currency: choice(currency, 'currency'),
  currency_symbol: choice(
    plainLine('Currency symbol of prices; by default the symbol of the currency.', { max: MAX_SYMBOL }),
    'currency_symbol',
  ),
};
