import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DATA_SCHEMAS } from './schemas.ts';

const DATA = join(import.meta.dirname, 'data');
const files = globSync('*.json', { cwd: DATA }).map((file) => basename(file, '.json'));
const schemas = new Map(Object.entries(DATA_SCHEMAS));
const read = (file: string) => JSON.parse(readFileSync(join(DATA, `${file}.json`), 'utf8'));

describe('the data of the demo', () => {
  it('has a schema for each file', () => {
    expect(files.sort()).toEqual([...schemas.keys()].sort());
  });

  it.each(files)('%s.json has the shape that its schema asks for', (file) => {
    expect(schemas.get(file)?.safeParse(read(file)).error).toBeUndefined();
  });

  const [event] = read('performances');
  it.each([
    { fault: 'a venue that is not there', record: { ...event, venue: 'nowhere' } },
    { fault: 'a tag that is not there', record: { ...event, tags: ['jazzz'] } },
    { fault: 'a misspelt field', record: { ...event, tittle: 'Jazz' } },
    { fault: 'a misspelt field of a translation', record: { ...event, fr: { ...event.fr, titre: 'Jazz' } } },
    { fault: 'a time that no clock shows', record: { ...event, at: '24:30' } },
    { fault: 'a link that may be somebody’s', record: { ...event, website: 'https://jazz.org' } },
  ])('refuses an event with $fault', ({ record }) => {
    expect(DATA_SCHEMAS.performances.safeParse([record]).success).toBe(false);
    expect(DATA_SCHEMAS.performances.safeParse([event]).success).toBe(true);
  });
});
