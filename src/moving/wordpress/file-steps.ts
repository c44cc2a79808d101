import type { Draft, Finding } from '../drafts.ts';
import { idOf } from '../drafts.ts';
import { type Source, type SourceFile, SourceRefusal } from '../source.ts';
import { type Batch, parentsFirst, type Reading, type Step } from '../steps.ts';
import { accountDraft } from './account-drafts.ts';
import { eventDraft, linkedDraft, termDraft } from './calendar-drafts.ts';
import { addressWords, postAddresses } from './old-addresses.ts';
import { imageDetails, imageUrl, type Site, siteOf } from './site.ts';
import { PER_PAGE, type Post, type Staging } from './staging.ts';
import { attendeeDraft, hasTickets, orderDraft, ticketDraft } from './ticket-drafts.ts';

/** Steps of an import from a file, ordered so that records come after the records to which they refer. */

export interface FileImport {
  source: Source;
  steps: readonly Step[];
}

interface FileFacts {
  /** Problems of the file as a whole. */
  notes: readonly Finding[];
  /** Reads an image of the uploads. */
  file: (url: string) => Promise<SourceFile | undefined>;
  /** Zone of events without one, for a site whose file does not name its zone. */
  zone: string;
}

export function fileImport(staging: Staging, { notes, file, zone }: FileFacts): FileImport {
  const site = siteOf(staging, zone);
  return { source: fileSource(site, file), steps: stepsOf(site, notes) };
}

/** A source without an interface: the steps read the file. */
function fileSource(site: Site, file: (url: string) => Promise<SourceFile | undefined>): Source {
  const refuse = () => Promise.reject(new SourceRefusal(404, 'file'));
  const source: Source = {
    ...{ address: site.home, hasCredentials: true, read: refuse, page: refuse, file },
    asVisitor: () => source,
  };
  return source;
}

const perPost = (
  site: Site,
  { name, types, draftOf }: { name: string; types: readonly string[]; draftOf: (post: Post, site: Site) => Draft },
): Step => ({
  name,
  async read(page) {
    const total = site.staging.count(types);
    const posts = site.staging.posts(types, page);
    // The editor of the original creates a post when it is opened.
    const drafts = posts.filter(({ status }) => status !== 'auto-draft').map((post) => draftOf(post, site));
    return { drafts, listed: posts.map(({ id }) => id), total, isLast: page * PER_PAGE >= total };
  },
});

const terms = (site: Site, kind: 'category' | 'tag'): Step => ({
  name: kind === 'category' ? 'categories' : 'tags',
  async read() {
    const found = site.staging.terms(kind === 'category' ? 'tribe_events_cat' : 'post_tag');
    return { drafts: parentsFirst(found.map((term) => termDraft(kind, term, site))), total: 0, isLast: true };
  },
});

const accounts = (site: Site, notes: readonly Finding[]): Step => ({
  name: 'accounts',
  async read(page): Promise<Batch> {
    const users = site.staging.users(page);
    const findings = page === 1 ? [...notes, ...siteFindings(site)] : [];
    return {
      drafts: users.map((user) => accountDraft(user, site)),
      findings,
      total: 0,
      isLast: users.length < PER_PAGE,
    };
  },
});

function siteFindings({ staging, home }: Site): Finding[] {
  const orphans = staging.orphans();
  return [
    ...(orphans > 0 ? [{ code: 'orphans', detail: String(orphans) }] : []),
    ...staging.others().map(({ type, count }) => ({ code: 'other-posts', detail: `${count} ${type}` })),
    ...staging.sales().map(({ type, count }) => ({ code: 'other-sales', detail: `${count} ${type}` })),
    ...modifierFindings(staging),
    ...(hasTickets(staging) ? [] : [{ code: 'no-tickets', detail: '' }]),
    ...(URL.canParse(home) ? [] : [{ code: 'no-home', detail: home }]),
  ];
}

const MAX_NAMES = 20;

function modifierFindings(staging: Staging): Finding[] {
  return (['coupon', 'fee'] as const).flatMap((type) => {
    const found = staging
      .modifiers(type)
      .map(({ slug, status }) => (status === 'active' ? slug : `${slug} (${status})`));
    const more = found.length > MAX_NAMES ? ', …' : '';
    const detail = `${found.length}: ${found.slice(0, MAX_NAMES).join(', ')}${more}`;
    return found.length === 0 ? [] : [{ code: `${type}s`, detail }];
  });
}

const media = (site: Site): Step => ({
  name: 'images',
  async read(page: number, { withMedia }: Reading): Promise<Batch> {
    if (!withMedia) return { drafts: [], total: 0, isLast: true };
    const posts = site.staging.posts(['attachment'], page);
    const images = posts.flatMap(({ id, mime }) =>
      idOf(id) !== 0 && mime.startsWith('image/')
        ? [{ id, url: imageUrl(id, site), details: imageDetails(id, site) }]
        : [],
    );
    return { drafts: [], images, total: 0, isLast: posts.length < PER_PAGE };
  },
});

/** Records the addresses of the site that a proxy has to know. */
const addresses = (site: Site): Step => ({
  name: 'addresses',
  async read(page): Promise<Batch> {
    const posts = site.staging.posts(['page', 'post', 'attachment'], page);
    const words = page === 1 ? [...addressWords(site.staging)] : [];
    const others = words.filter(([, to]) => to !== 'tag').map(([from]) => from);
    const findings = [
      ...(others.length > 0 ? [{ code: 'other-words', detail: others.join(', ') }] : []),
      ...words.map(([from, to]) => ({ code: 'address-word', detail: `${from} → ${to}` })),
      ...postAddresses(posts, site),
    ];
    return { drafts: [], findings, total: 0, isLast: posts.length < PER_PAGE };
  },
});

/** In the order of execution. Positions are stored, so new steps are added at the end. */
const stepsOf = (site: Site, notes: readonly Finding[]): readonly Step[] => [
  accounts(site, notes),
  media(site),
  terms(site, 'category'),
  terms(site, 'tag'),
  perPost(site, { name: 'venues', types: ['tribe_venue'], draftOf: linkedDraft }),
  perPost(site, { name: 'organizers', types: ['tribe_organizer'], draftOf: linkedDraft }),
  perPost(site, { name: 'events', types: ['tribe_events'], draftOf: eventDraft }),
  perPost(site, { name: 'tickets', types: ['tec_tc_ticket', 'tribe_rsvp_tickets'], draftOf: ticketDraft }),
  perPost(site, { name: 'orders', types: ['tec_tc_order'], draftOf: orderDraft }),
  perPost(site, { name: 'attendees', types: ['tec_tc_attendee', 'tribe_rsvp_attendees'], draftOf: attendeeDraft }),
  addresses(site),
];
