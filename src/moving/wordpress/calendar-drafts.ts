import { escapeHtml } from '../../lib/text/text.ts';
import { type Draft, type Finding, idOf, readEvent, readLinked, readTerm } from '../drafts.ts';
import { importedTitle } from '../texts.ts';
import { isSerialized, membersOfPhp, readPhpValue } from './php-value.ts';
import { first, imageItem, metaFindings, postFindings, postItem, renderedText, type Site } from './site.ts';
import type { Meta, Post, StagedTerm } from './staging.ts';

/** Categories, tags, venues, organizers and events of a staged site, as its interface would return them. */

const isYes = (value: string): boolean => /^(?:1|yes|true|on)$/i.test(value);

export function termDraft(kind: 'category' | 'tag', term: StagedTerm, { staging }: Site): Draft {
  const draft = readTerm(kind, { ...term });
  const color = first(staging.meta('term', term.id), 'tec-events-cat-colors-primary');
  const isColor = kind === 'category' && /^#[\da-f]{6}$/i.test(color);
  return isColor ? { ...draft, fields: { ...draft.fields, color: color.toLowerCase() } } : draft;
}

/** Fields and findings besides those of the interface of a source. */
interface Extras {
  fields?: Readonly<Record<string, unknown>>;
  findings?: readonly Finding[];
}

/** A draft without the records that it refers to: they have their own steps. */
const withExtras = ({ related: _related, ...draft }: Draft, { fields, findings = [] }: Extras): Draft => ({
  ...draft,
  fields: { ...draft.fields, ...fields },
  findings: [...draft.findings, ...findings],
});

const coordinate = (text: string, limit: number): number | undefined => {
  const value = Number(text);
  return text !== '' && Number.isFinite(value) && Math.abs(value) <= limit ? value : undefined;
};

export function linkedDraft(post: Post, site: Site): Draft {
  const kind = post.type === 'tribe_venue' ? 'venue' : 'organizer';
  const meta = site.staging.meta('post', post.id);
  const texts =
    kind === 'venue'
      ? {
          ...{ address: first(meta, '_VenueAddress'), city: first(meta, '_VenueCity') },
          ...{ country: first(meta, '_VenueCountry'), province: first(meta, '_VenueProvince') },
          ...{ state: first(meta, '_VenueState'), stateprovince: first(meta, '_VenueStateProvince') },
          ...{ zip: first(meta, '_VenueZip'), phone: first(meta, '_VenuePhone'), website: first(meta, '_VenueURL') },
        }
      : {
          ...{ phone: first(meta, '_OrganizerPhone'), website: first(meta, '_OrganizerWebsite') },
          email: first(meta, '_OrganizerEmail'),
        };
  const [geo_lat, geo_lng] = [coordinate(first(meta, '_VenueLat'), 90), coordinate(first(meta, '_VenueLng'), 180)];
  const item = {
    ...{ ...postItem(post), [kind]: post.title, description: renderedText(post.content, site), ...texts },
    ...(kind === 'venue' && {
      show_map: isYes(first(meta, '_VenueShowMap', '_EventShowMap')),
      show_map_link: isYes(first(meta, '_VenueShowMapLink', '_EventShowMapLink')),
      ...(geo_lat !== undefined && geo_lng !== undefined && { geo_lat, geo_lng }),
    }),
    image: imageItem(meta, site),
  };
  return withExtras(readLinked(kind, item), {
    fields: authorOf(post),
    findings: [...postFindings(post), ...metaFindings(meta)],
  });
}

const authorOf = ({ author }: Post) => (author > 0 ? { author } : {});

export function eventDraft(post: Post, site: Site): Draft {
  const { staging } = site;
  const meta = staging.meta('post', post.id);
  const terms = staging.termsOf(post.id);
  const providers = staging.ticketsOf(post.id).map(({ type }) => (type === 'tec_tc_ticket' ? 'tc' : 'rsvp'));
  const custom = customFields(meta, site);
  const item = {
    ...eventItem(post, meta, site),
    description: `${renderedText(post.content, site)}${custom}`,
    ticketed: providers.length > 0 ? [...new Set(providers)] : false,
    categories: idsIn(terms, 'tribe_events_cat'),
    tags: idsIn(terms, 'post_tag'),
  };
  return withExtras(readEvent(item, { isProtected: false }), {
    fields: {
      ...{ ...authorOf(post), post_password: post.password.slice(0, 200) || null },
      // The cost of an event with prices follows from its tickets.
      cost: providers.includes('tc') ? [] : costsOf(meta, site),
    },
    findings: [
      ...postFindings(post),
      ...metaFindings(meta),
      ...dateFindings(post, { meta, site }),
      ...terms.flatMap(({ tt_id, id }) =>
        id === null ? [{ code: 'reference-missing', detail: `term_taxonomy ${tt_id}` }] : [],
      ),
      ...(repeats(meta) ? [{ code: 'repeats', detail: '' }] : []),
      ...(custom === '' ? [] : [{ code: 'custom-fields', detail: [...customLabels(meta, site)].join(', ') }]),
      ...unnamedFields(meta, site),
    ],
  });
}

const idsIn = (terms: ReturnType<Site['staging']['termsOf']>, name: string): { id: number }[] =>
  terms.flatMap(({ id, taxonomy }) => (taxonomy === name && id !== null ? [{ id }] : []));

/** An event in the form of the original's interface, from its post and its metadata. */
function eventItem(post: Post, meta: Meta, site: Site) {
  const ids = (key: string) => (meta.get(key) ?? []).map(idOf).filter((id) => id !== 0);
  return {
    ...postItem(post),
    ...{ title: post.title, excerpt: post.excerpt },
    all_day: isYes(first(meta, '_EventAllDay')),
    ...{ start_date: first(meta, '_EventStartDate'), end_date: first(meta, '_EventEndDate') },
    ...{ utc_start_date: first(meta, '_EventStartDateUTC'), utc_end_date: first(meta, '_EventEndDateUTC') },
    timezone: first(meta, '_EventTimezone') || site.zone,
    website: first(meta, '_EventURL'),
    show_map: isYes(first(meta, '_EventShowMap')),
    show_map_link: isYes(first(meta, '_EventShowMapLink')),
    hide_from_listings: isYes(first(meta, '_EventHideFromUpcoming')),
    featured: isYes(first(meta, '_tribe_featured')),
    sticky: post.menu_order === -1,
    ...statusItem(meta),
    ...onlineItem(meta),
    image: imageItem(meta, site),
    venue: ids('_EventVenueID')
      .slice(0, 1)
      .map((id) => ({ id })),
    organizer: [...new Set(ids('_EventOrganizerID'))].map((id) => ({ id })),
  };
}

/** Whether an event repeats; the original stores one event for all dates. */
function repeats(meta: Meta): boolean {
  const rules = membersOfPhp(readPhpValue(first(meta, '_EventRecurrence'))).get('rules');
  return membersOfPhp(rules).size > 0;
}

function dateFindings({ id, title }: Post, { meta, site }: { meta: Meta; site: Site }): Finding[] {
  const dates = site.staging.dates(id);
  const [start, end] = [first(meta, '_EventStartDate'), first(meta, '_EventEndDate')];
  const differs = dates && start !== '' && (dates.start_date !== start || (dates.end_date ?? '') !== end);
  return [
    ...(differs ? [{ code: 'table-differs', detail: `${dates.start_date} – ${dates.end_date ?? ''}` }] : []),
    // UTF-8 that was read as Windows-1252 and written again.
    ...(/Ã[\u0080-¿]|â€/.test(title) ? [{ code: 'encoded-twice', detail: title.slice(0, 100) }] : []),
  ];
}

const AMOUNT = /^\d+(?:[.,]\d+)?$/;

/** Costs of all rows, with the currency of the event or of the site. */
function costsOf(meta: Meta, { currency }: Site): string[] {
  const rows = (meta.get('_EventCost') ?? [])
    .map((row) => importedTitle(row.slice(0, 1000)))
    .filter((row) => row !== '');
  const values = rows.flatMap((row) => {
    const range = row.split(/[–—-]/).map((part) => part.trim());
    return range.every((part) => AMOUNT.test(part)) ? range : [row];
  });
  const symbol = importedTitle(first(meta, '_EventCurrencySymbol')) || currency.symbol;
  const position = first(meta, '_EventCurrencyPosition') || (currency.isAfter ? 'suffix' : 'prefix');
  return values.slice(0, 20).map((value) => {
    if (!AMOUNT.test(value)) return value.slice(0, 100);
    return position === 'prefix' ? `${symbol}${value}` : `${value}${symbol}`;
  });
}

const STATUSES: Readonly<Record<string, string>> = { canceled: 'cancelled', postponed: 'postponed' };

function statusItem(meta: Meta): Record<string, unknown> {
  const told = first(meta, '_tribe_events_status', '_tribe_events_control_status');
  const status = STATUSES[told];
  if (status === undefined) return {};
  const reason = first(meta, '_tribe_events_status_reason', `_tribe_events_control_status_${told}_reason`);
  return { event_status: status, event_status_reason: importedTitle(reason).slice(0, 500) };
}

function onlineItem(meta: Meta): Record<string, unknown> {
  if (!isYes(first(meta, '_tribe_events_is_virtual'))) return {};
  const shownTo = [...membersOfPhp(readPhpValue(first(meta, '_tribe_events_virtual_show_embed_to'))).values()];
  const url = first(meta, '_tribe_events_virtual_url');
  return {
    attendance_mode: first(meta, '_tribe_events_virtual_event_type') === 'hybrid' ? 'mixed' : 'online',
    ...(url !== '' && { online_url: url, online_access: shownTo.includes('all') ? 'everyone' : 'holders' }),
  };
}

/** Custom fields with labels, since this site has no fields of its own: a list below the text. */
function customFields(meta: Meta, site: Site): string {
  const entries = customEntries(meta, site);
  if (entries.length === 0) return '';
  const items = entries.map(([label, value]) => `<li><strong>${escapeHtml(label)}:</strong> ${escapeHtml(value)}</li>`);
  return `\n<ul>${items.join('')}</ul>`;
}

/** Custom fields without a label in the file, such as in an export. */
const unnamedFields = (meta: Meta, { customFields: labels }: Site): Finding[] =>
  [...meta].flatMap(([key, [value = '']]) =>
    key.startsWith('_ecp_custom_') && !labels.has(key) && value !== ''
      ? [{ code: 'unnamed-field', detail: `${key}: ${value.slice(0, 300)}` }]
      : [],
  );

const customLabels = (meta: Meta, site: Site): string[] => customEntries(meta, site).map(([label]) => label);

function customEntries(meta: Meta, { customFields: labels }: Site): [label: string, value: string][] {
  return [...labels].flatMap(([key, label]): [string, string][] => {
    const value = first(meta, key).split('|').join(', ').trim();
    return value === '' || isSerialized(value) ? [] : [[label, importedTitle(value).slice(0, 1000)]];
  });
}
