import { createWriteStream } from 'node:fs';
import { copyFile, mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { findCalendarEvents } from '../../calendar/events/lists/feed.ts';
import { getCalendarId } from '../../db/site-settings.ts';
import { callEndpoint } from '../../http/pipeline/call.ts';
import { toUtc } from '../../lib/dates/dates.ts';
import { PRIVATE_FILE, PRIVATE_FOLDER } from '../../lib/private-files.ts';
import { scalarText } from '../../lib/text/scalar-text.ts';
import { getEndpoint, type InProcessContext } from '../../platform/users/in-process-context.ts';
import { eventTickets } from '../../ticketing/tickets/event-tickets.ts';
import { icalFeed } from '../../web/feeds/ical.ts';
import { EXPORTED_FILES, type ExportedFile, rowsOf } from './table-rows.ts';

/** Export of the whole site into a folder; docs/moving.md describes the files. */

/** Thrown to stop an export; the message is one sentence for the operator. */
export class ExportError extends Error {}

export const EXPORT_PARTS = ['json', 'csv', 'ical', 'media'] as const;
type ExportPart = (typeof EXPORT_PARTS)[number];

export interface ExportOptions {
  ctx: InProcessContext;
  /** An empty folder, or one that does not exist. */
  folder: string;
  parts: readonly ExportPart[];
  onFile(name: string, count: number): void;
}

/** Version of the format. */
const EXPORT_VERSION = 1;

/** Number of records of each file, by its path in the folder. */
type Counts = Record<string, number>;

/**
 * Writes an export. The manifest comes last: a folder without one is incomplete.
 * @throws {ExportError} if the folder is not empty, or cannot be written
 */
export async function exportSite(options: ExportOptions): Promise<{ files: Counts; missing: string[] }> {
  const { ctx, folder, parts } = options;
  try {
    await prepareFolder(folder);
    const files: Counts = {};
    const note = (name: string, count: number): void => {
      files[name] = count;
      options.onFile(name, count);
    };
    const missing: string[] = [];
    if (parts.includes('json')) await writeJson(options, note);
    if (parts.includes('csv')) await writeCsv(options, note);
    if (parts.includes('ical')) await writeCalendars(options, note);
    if (parts.includes('media')) missing.push(...(await copyMedia(options, note)));
    const { timezone, currency, languages } = ctx.context.config;
    const manifest = {
      ...{ format: 'marquee-export', version: EXPORT_VERSION, exported_utc: toUtc(ctx.now) },
      ...{ timezone, currency, languages, files, missing },
    };
    await writeText(join(folder, 'manifest.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
    return { files, missing };
  } catch (error) {
    throw problemOf(error, folder);
  }
}

const FAULTS: Readonly<Record<string, string>> = {
  ENOSPC: 'There is no space left. Remove the incomplete export, and choose another disk',
  EDQUOT: 'There is no space left. Remove the incomplete export, and choose another disk',
  EACCES: 'The folder cannot be written',
  EPERM: 'The folder cannot be written',
  EROFS: 'The folder cannot be written',
  ENOTDIR: 'This is not a folder',
  EEXIST: 'Another export writes into this folder',
};

function problemOf(error: unknown, folder: string): unknown {
  const code = error instanceof Error && 'code' in error ? (scalarText(error.code) ?? '') : '';
  return Object.hasOwn(FAULTS, code) ? new ExportError(`${FAULTS[code]}: ${folder}`) : error;
}

async function prepareFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER });
  if ((await readdir(folder)).length > 0) throw new ExportError(`The folder is not empty: ${folder}`);
}

/** Writes a new file. Chunks are written as they are made, so the file may have any size. */
async function writeText(path: string, chunks: string | AsyncIterable<string>): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: PRIVATE_FOLDER });
  if (typeof chunks === 'string') return writeFile(path, chunks, { flag: 'wx', mode: PRIVATE_FILE });
  await pipeline(chunks, createWriteStream(path, { flags: 'wx', mode: PRIVATE_FILE }));
}

type Note = (name: string, count: number) => void;

async function writeJson({ ctx, folder }: ExportOptions, note: Note): Promise<void> {
  for (const file of EXPORTED_FILES) {
    const counter = { count: 0 };
    const name = `json/${file.name}.json`;
    await writeText(join(folder, name), jsonOf(ctx, file, counter));
    note(name, counter.count);
  }
}

/** Minimum characters of a chunk. */
const CHUNK = 65_536;

/** A JSON list with a line for each row. */
async function* jsonOf({ context }: InProcessContext, file: ExportedFile, counter: { count: number }) {
  let chunk = '[';
  for await (const row of rowsOf(context.db, file)) {
    chunk += `${counter.count === 0 ? '' : ','}\n${JSON.stringify(row)}`;
    counter.count += 1;
    if (chunk.length < CHUNK) continue;
    yield chunk;
    chunk = '';
  }
  yield `${chunk}\n]\n`;
}

/** Lists that the console exports too, with the same columns. */
const CSV_LISTS = ['events', 'attendees', 'orders'];

async function writeCsv({ ctx, folder }: ExportOptions, note: Note): Promise<void> {
  for (const list of CSV_LISTS) {
    const endpoint = getEndpoint(ctx, `${list}.export`);
    const { stream } = await callEndpoint(endpoint, ctx, {});
    if (!stream) throw new Error(`${list}.export has no stream`);
    const name = `csv/${list}.csv`;
    const counter = { count: 0 };
    await writeText(join(folder, name), countingRows(stream.chunks(), counter));
    note(name, counter.count);
  }
}

/** Passes on the text of a CSV file, and counts its rows without the headings. */
async function* countingRows(chunks: AsyncIterable<string>, counter: { count: number }): AsyncGenerator<string> {
  let isQuoted = false;
  let lines = 0;
  for await (const chunk of chunks) {
    for (const character of chunk.matchAll(/["\n]/g)) {
      if (character[0] === '"') isQuoted = !isQuoted;
      else if (!isQuoted) lines += 1;
    }
    yield chunk;
  }
  counter.count = Math.max(0, lines - 1);
}

/** Maximum number of events in a calendar file, as in the largest feed. */
const EVENTS_PER_FILE = 2000;
const EVENTS_AT_ONCE = 100;

/** Published events, as calendar programs read them. */
async function writeCalendars({ ctx, folder }: ExportOptions, note: Note): Promise<void> {
  const { db } = ctx.context;
  const calendarId = await getCalendarId(db);
  for (let part = 1, after = 0; ; part++) {
    const rows = await db.query
      .selectFrom('events')
      .select('id')
      .where('status', '=', 'publish')
      .where('id', '>', after)
      .orderBy('id')
      .limit(EVENTS_PER_FILE)
      .execute();
    if (rows.length === 0 && part > 1) return;
    const ids = rows.map(({ id }) => id);
    const name = `ical/events-${String(part).padStart(3, '0')}.ics`;
    const url = ctx.urls.page('/events/');
    const feed = { title: '', isNamed: false, url, feedUrl: url, language: ctx.language, calendarId };
    await writeText(join(folder, name), await icalFeed({ ...feed, events: calendarEvents(ctx, ids) }));
    note(name, ids.length);
    if (ids.length < EVENTS_PER_FILE) return;
    after = ids.at(-1) ?? 0;
  }
}

async function* calendarEvents(ctx: InProcessContext, ids: readonly number[]) {
  for (let from = 0; from < ids.length; from += EVENTS_AT_ONCE)
    yield* await findCalendarEvents(ctx, ids.slice(from, from + EVENTS_AT_ONCE), eventTickets);
}

/** Copies the original of each image; renditions can be made from it. Returns the files that are missing. */
async function copyMedia({ ctx, folder }: ExportOptions, note: Note): Promise<string[]> {
  const uploads = join(ctx.context.config.data, 'uploads');
  const missing: string[] = [];
  let count = 0;
  const file = EXPORTED_FILES.find(({ name }) => name === 'media');
  if (!file) throw new Error('media is not exported');
  for await (const row of rowsOf(ctx.context.db, file)) {
    const path = scalarText(row.file) ?? '';
    const target = join(folder, 'media', path);
    await mkdir(dirname(target), { recursive: true, mode: PRIVATE_FOLDER });
    try {
      await copyFile(join(uploads, path), target);
      count += 1;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
      missing.push(path);
    }
    await nextTurn();
  }
  note('media', count);
  return missing;
}
