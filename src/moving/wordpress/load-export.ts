import type { Finding } from '../drafts.ts';
import { SourceError } from '../source.ts';
import { bytesOf } from './load-dump.ts';
import { CONTENT_TYPES, isReadKey, Staging } from './staging.ts';

/** Reads an export file (WXR) of a WordPress site. */

/** Longest text between two tags. */
const MAX_TEXT = 16_000_000;
const MAX_DEPTH = 30;

/** Characters that XML forbids; exports have them in values of PHP. */
const FORBIDDEN = /[^\P{Cc}\t\n\r\u007f-\u009f]|[\ufffe\uffff]/gu;
/** Replaces NUL while the file is read, so that lengths in values of PHP stay right. */
const NUL = '\ue000';

type Attributes = Readonly<Record<string, string>>;

/**
 * @returns the records, and problems of the file as a whole
 * @throws {SourceError} for a file that is not a well-formed export
 */
export async function loadExport(
  file: string,
  { maxBytes }: { maxBytes?: number } = {},
): Promise<{ staging: Staging; notes: readonly Finding[] }> {
  const { SaxesParser } = await import('saxes');
  const staging = new Staging();
  try {
    const reader = new ExportReader(staging);
    const parser = new SaxesParser({ xmlns: false });
    parser.on('error', ({ message }) => {
      throw new SourceError(
        `The export is not well-formed XML: ${message.replace(/^(\d+):(\d+): /, 'line $1, column $2: ').slice(0, 200)}`,
      );
    });
    parser.on('doctype', () => {
      throw new SourceError('The file declares a document type, which exports of WordPress do not.');
    });
    parser.on('opentag', ({ name, attributes }) => reader.open(name, attributes));
    parser.on('closetag', ({ name }) => reader.close(name));
    parser.on('text', (text) => reader.text(text));
    parser.on('cdata', (text) => reader.text(text));
    let line = 0;
    const decoder = new TextDecoder('utf-8');
    const write = (text: string) => {
      const found = text.search(FORBIDDEN);
      if (found >= 0 && line === 0) line = parser.line + text.slice(0, found).split('\n').length - 1;
      reader.expect(text.length);
      parser.write(text.replace(FORBIDDEN, (character) => (character === '\0' ? NUL : '\ufffd')));
    };
    for await (const chunk of bytesOf(file, maxBytes)) write(decoder.decode(chunk, { stream: true }));
    write(decoder.decode());
    parser.close();
    reader.end();
    staging.seal();
    return { staging, notes: line === 0 ? [] : [{ code: 'bad-characters', detail: String(line) }] };
  } catch (error) {
    staging.close();
    throw error;
  }
}

/** Elements whose members are records. */
const RECORDS = new Set(['wp:author', 'wp:category', 'wp:tag', 'wp:term', 'item']);

class ExportReader {
  readonly #staging: Staging;
  #path: string[] = [];
  #text = '';
  /** Characters that were read since the last tag. */
  #unread = 0;
  #record: Map<string, string> | undefined;
  #metas: [key: string, value: string][] = [];
  #key = '';
  #value = '';
  #attributes: Attributes = {};
  #references: [taxonomy: string, slug: string][] = [];
  #terms = new Map<string, number>();
  #parents: { taxonomy: string; id: number; description: string; parent: string }[] = [];
  #hasChannel = false;
  #logins = new Map<string, number>();

  constructor(staging: Staging) {
    this.#staging = staging;
  }

  /** @throws {SourceError} if a text has no end */
  expect(length: number): void {
    this.#unread += length;
    if (this.#unread > MAX_TEXT)
      throw new SourceError('The export has a text that is longer than 16 million characters.');
  }

  open(name: string, attributes: Attributes): void {
    this.#unread = 0;
    this.#path.push(name);
    if (this.#path.length > MAX_DEPTH) throw new SourceError('The export is nested too deeply.');
    if (this.#path.length === 2 && name === 'channel' && this.#path[0] === 'rss') this.#hasChannel = true;
    this.#text = '';
    this.#attributes = attributes;
    if (this.#path.length === 3 && RECORDS.has(name)) {
      this.#record = new Map();
      this.#metas = [];
      this.#references = [];
    }
  }

  text(text: string): void {
    if (this.#text.length < MAX_TEXT) this.#text += text;
  }

  close(name: string): void {
    this.#unread = 0;
    const text = this.#text.replaceAll(NUL, '\0');
    this.#text = '';
    this.#path.pop();
    const depth = this.#path.length;
    if (depth === 2 && this.#record && RECORDS.has(name)) this.#endRecord(name, this.#record);
    else if (depth === 2) this.#ofSite(name, text.trim());
    else if (depth === 3) this.#member(name, text);
    else if (depth === 4 && /^wp:(?:post|term)meta$/.test(this.#path[3] ?? '')) {
      if (name === 'wp:meta_key') this.#key = text;
      if (name === 'wp:meta_value') this.#value = text;
    }
  }

  #ofSite(name: string, text: string): void {
    if (name === 'wp:base_blog_url') this.#staging.add('options', { name: 'home', value: text });
  }

  #member(name: string, text: string): void {
    if (name === 'wp:postmeta' || name === 'wp:termmeta') {
      if (this.#metas.length < 10_000 && isReadKey(this.#key)) this.#metas.push([this.#key, this.#value]);
      this.#key = '';
      this.#value = '';
    } else if (name === 'category') {
      const { domain = '', nicename = '' } = this.#attributes;
      if (this.#references.length < 1000) this.#references.push([domain, nicename]);
    } else this.#record?.set(name, text);
  }

  #endRecord(name: string, record: Map<string, string>): void {
    this.#record = undefined;
    if (name === 'wp:author') this.#author(record);
    else if (name === 'item') this.#item(record);
    else this.#term(name, record);
  }

  #author(record: Map<string, string>): void {
    const login = record.get('wp:author_login') ?? '';
    const id = numberOf(record.get('wp:author_id'));
    if (id === 0 || login === '') return;
    this.#logins.set(login, id);
    this.#staging.add('users', {
      ...{ id, login, pass: '', nicename: login, email: record.get('wp:author_email') ?? '', registered: '' },
      display_name: record.get('wp:author_display_name') ?? '',
    });
  }

  #term(name: string, record: Map<string, string>): void {
    const kind = name === 'wp:term' ? 'term' : name.slice(3);
    const taxonomy = { 'wp:tag': 'post_tag', 'wp:category': 'category' }[name] ?? record.get('wp:term_taxonomy') ?? '';
    const slug = record.get(kind === 'category' ? 'wp:category_nicename' : `wp:${kind}_slug`) ?? '';
    const title = record.get(kind === 'category' ? 'wp:cat_name' : `wp:${kind}_name`) ?? '';
    const id = numberOf(record.get('wp:term_id'));
    if (id === 0 || this.#terms.has(`${taxonomy} ${slug}`)) return;
    this.#terms.set(`${taxonomy} ${slug}`, id);
    this.#staging.add('terms', { id, name: title, slug });
    const description = record.get(`wp:${kind}_description`) ?? '';
    this.#parents.push({ taxonomy, id, description, parent: record.get(`wp:${kind}_parent`) ?? '' });
    for (const [key, value] of this.#metas) this.#staging.add('meta', { kind: 'term', about: id, key, value });
  }

  #item(record: Map<string, string>): void {
    const text = (name: string): string => record.get(name) ?? '';
    const id = numberOf(text('wp:post_id'));
    const type = text('wp:post_type');
    if (id === 0) return;
    const isRead = CONTENT_TYPES.has(type);
    const login = text('dc:creator');
    this.#staging.add('posts', {
      ...{ id, author: this.#logins.get(login) ?? 0, type, status: text('wp:status') },
      ...{ date: text('wp:post_date'), date_gmt: text('wp:post_date_gmt') },
      ...{ modified: text('wp:post_modified'), modified_gmt: text('wp:post_modified_gmt') },
      ...{ content: isRead ? text('content:encoded') : '', excerpt: isRead ? text('excerpt:encoded') : '' },
      ...{ title: isRead ? text('title') : '', password: text('wp:post_password'), name: text('wp:post_name') },
      ...{ parent: numberOf(text('wp:post_parent')), menu_order: numberOf(text('wp:menu_order')) },
      mime: /\.(?:png|jpe?g|gif|webp|avif)$/i.test(text('wp:attachment_url')) ? 'image/file' : '',
    });
    for (const [key, value] of this.#metas) this.#staging.add('meta', { kind: 'post', about: id, key, value });
    for (const [taxonomy, slug] of this.#references) {
      const tt_id = this.#terms.get(`${taxonomy} ${slug}`);
      if (tt_id !== undefined) this.#staging.add('relationships', { object_id: id, tt_id });
    }
  }

  /** @throws {SourceError} if the file is not an export */
  end(): void {
    if (!this.#hasChannel || this.#staging.option('home') === '')
      throw new SourceError('The file is not an export of a WordPress site.');
    for (const { taxonomy, id, description, parent } of this.#parents) {
      const found = parent === '' ? 0 : (this.#terms.get(`${taxonomy} ${parent}`) ?? 0);
      this.#staging.add('taxonomy', { tt_id: id, term_id: id, taxonomy, description, parent: found });
    }
  }
}

const numberOf = (text = ''): number => (/^-?\d{1,15}$/.test(text.trim()) ? Number(text) : 0);
