import { isGiven } from '../../base/site-config.ts';
import {
  findOccurrence,
  findOccurrences,
  findSeries,
  updateOccurrence,
  updateSeries,
} from '../../calendar/events/series/series-store.ts';
import { fieldAfterSwitch, templateAfterSwitch } from '../../calendar/events/series/template.ts';
import { getEvents, updateEvent, valuesOf } from '../../calendar/events/store.ts';
import { findLinkedPosts, updateLinkedPost } from '../../calendar/linked-posts/store.ts';
import { findTerms, updateTerm } from '../../calendar/terms/store.ts';
import type { Database } from '../../db/database.ts';
import {
  findFirstLanguage,
  lockFirstLanguage,
  lockSiteSettings,
  saveFirstLanguage,
  saveLanguages,
} from '../../db/site-settings.ts';
import type { TranslatedKind } from '../../db/tables/calendar.ts';
import { type Actor, commandLine } from '../../lib/actor.ts';
import { logCommand } from '../../platform/audit/log.ts';
import { saveImageTexts } from '../../platform/media/image-details.ts';
import { withImageKeys } from '../../platform/media/image-names.ts';
import { findImages } from '../../platform/media/images.ts';
import { moveTexts, overlayTexts, type RecordTexts, textsOf } from '../../platform/translations/rules.ts';
import { findTranslations } from '../../platform/translations/store.ts';
import { getTickets, saveTicketTexts, ticketKeys, updateTicket } from '../../ticketing/tickets/store.ts';
import { type Command, CommandError, command } from './command.ts';

interface Languages {
  from: string;
  to: string;
}

/** Reads and writes the translated records of a table. */
interface TextTable<T> {
  kindOf(record: T): TranslatedKind;
  /** Records by id, whatever their status. */
  find(db: Database, ids: readonly number[]): Promise<ReadonlyMap<number, T>>;
  /** Replaces the texts of a record and the columns derived from them. */
  save(db: Database, record: T, texts: RecordTexts): Promise<void>;
}

type TableAdapter = (db: Database, ids: readonly number[], languages: Languages) => Promise<void>;

/** Switches the texts of records, in the order of their ids. */
const adapterOf =
  <T extends { id: number }>({ kindOf, find, save }: TextTable<T>): TableAdapter =>
  async (db, ids, languages) => {
    const records = await find(db, ids);
    for (const record of ids.flatMap((id) => records.get(id) ?? [])) {
      const name = { kind: kindOf(record), id: record.id };
      const translations = await findTranslations(db, name);
      await save(db, record, moveTexts({ own: textsOf(name.kind, record), translations }, languages));
    }
  };

/** Switches the texts of series. Occurrences keep track of which texts are their own. */
const switchSeries: TableAdapter = async (db, ids, languages) => {
  for (const id of ids) {
    const series = await findSeries(db, id);
    if (series) await updateSeries(db, series, { template: templateAfterSwitch(series.template, languages) });
    for (const { event_id } of await findOccurrences(db, id)) {
      const { own_fields = [] } = (await findOccurrence(db, event_id)) ?? {};
      if (own_fields.length === 0) continue;
      const switched = own_fields.map((field) => fieldAfterSwitch(field, languages)).toSorted();
      await updateOccurrence(db, event_id, { own_fields: switched });
    }
  }
};

/** Tickets come last, following the lock order of every transaction. */
const ADAPTERS = {
  media: adapterOf({
    kindOf: () => 'media',
    find: findImages,
    async save(db, image, texts) {
      const { alt = '', title_key, search_text } = withImageKeys({ ...image, ...texts.own });
      await db.query.updateTable('media').set({ alt, title_key, search_text }).where('id', '=', image.id).execute();
      await saveImageTexts(db, image.id, texts);
    },
  }),
  events: adapterOf({
    kindOf: () => 'event',
    find: async (db, ids) => new Map((await getEvents(db, ids)).map((event) => [event.id, event])),
    save: (db, event, { own, translations }) =>
      updateEvent(db, event, { values: { ...valuesOf(event), ...own }, links: {}, translations }),
  }),
  series: switchSeries,
  linked_posts: adapterOf({
    kindOf: ({ kind }) => kind,
    find: findLinkedPosts,
    save: (db, post, { own, translations }) =>
      updateLinkedPost(db, post, { values: overlayTexts(post, own), translations }),
  }),
  terms: adapterOf({
    kindOf: ({ taxonomy }) => taxonomy,
    find: findTerms,
    save: (db, term, { own, translations }) => updateTerm(db, term, { change: own, translations }),
  }),
  tickets: adapterOf({
    kindOf: () => 'ticket',
    find: getTickets,
    async save(db, ticket, texts) {
      const { title, description } = { ...ticket, ...texts.own };
      await updateTicket(db, ticket, { title, description, ...ticketKeys({ title, description }) });
      await saveTicketTexts(db, ticket.id, texts);
    },
  }),
};

type Table = keyof typeof ADAPTERS;

/**
 * Makes a language the first, in one transaction: its texts become the records' own, and the previous own texts become
 * translations. The site then chooses `languages`, if there are any. Returns the number of records; undefined if the
 * language is already the first, or none is set yet.
 */
async function switchFirstLanguage(
  db: Database,
  to: string,
  actor: Actor,
  languages?: readonly string[],
): Promise<number | undefined> {
  await db.dialect.prepareBulkWrite(db);
  return db.transaction(async (trx) => {
    await lockSiteSettings(trx);
    await lockFirstLanguage(trx);
    const from = await findFirstLanguage(trx);
    if (from === undefined || from === to) return undefined;
    let moved = 0;
    // Object.keys does not carry the key type.
    for (const table of Object.keys(ADAPTERS) as Table[]) moved += await switchTable(trx, table, { from, to });
    await saveFirstLanguage(trx, to);
    if (languages) await saveLanguages(trx, languages);
    await logCommand(trx, actor, [{ field: 'language', before: from, after: to }]);
    return moved;
  });
}

/** Number of records whose texts are in memory at a time. */
const BATCH = 200;

async function switchTable(db: Database, table: Table, languages: Languages): Promise<number> {
  const rows = db.query.selectFrom(table).select('id').orderBy('id').limit(BATCH);
  let moved = 0;
  let last = 0;
  for (;;) {
    const found = await rows.where('id', '>', last).execute();
    if (found.length === 0) return moved;
    const ids = found.map(({ id }) => id);
    await ADAPTERS[table](db, ids, languages);
    moved += ids.length;
    last = ids.at(-1) ?? last;
  }
}

/** Makes another language the first, in which the records' own texts are written. */
export const firstLanguageCommand: Command = command({
  name: 'first-language',
  summary: 'Makes another language the first of the site.',
  words: ['LANGUAGE'],
  notes:
    'LANGUAGE is a language of the site. Records without text in it keep the displayed text. All is changed or nothing.\n' +
    'Back up the data and stop every server first; if MARQUEE_LANGUAGES is set, start them with LANGUAGE first in it.',
  openOptions: { anyLanguage: true },
  async work({ context: { db, config, now }, words: [given = ''], print }) {
    const wanted = config.languages.find((language) => language.toLowerCase() === given.toLowerCase());
    if (wanted === undefined)
      throw new CommandError(`The languages of the site are ${config.languages.join(', ')}, but not ${given}.`);
    if ((await findFirstLanguage(db)) === undefined)
      throw new CommandError(
        'The language of the records is not known yet: put it first in MARQUEE_LANGUAGES ' +
          'and run "npx marquee migrate" first.',
      );
    const order = [wanted, ...config.languages.filter((language) => language !== wanted)];
    const isChosen = !isGiven(config, 'languages');
    const moved = await switchFirstLanguage(db, wanted, commandLine(now()), isChosen ? order : undefined);
    if (moved === undefined) {
      print(`${wanted} is the first language already; nothing is changed.`);
      return;
    }
    print(`${wanted} is the first language now; records moved: ${moved}.`);
    if (!isChosen) print(`Start every server with MARQUEE_LANGUAGES=${order.join(',')}`);
  },
});
