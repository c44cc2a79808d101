import { expect, it } from 'vitest';
import { readConfig } from '../../base/config.ts';
import { Urls } from '../core/urls.ts';
import { renderedOnce, siteOf } from './discovery.ts';

const NOW = new Date('2027-03-06T12:00:00Z');

it('renders descriptions once per prefix and product word for all hosts, and again each day', () => {
  let times = 0;
  const described = renderedOnce(({ urls }) => {
    times += 1;
    return { server: urls.rest('events'), word: urls.word };
  });
  const config = readConfig({});
  const read = (origin: string, prefix: string, word: string, now = NOW) =>
    described(siteOf(config, new Urls(origin, prefix, word), now));
  for (let number = 0; number < 20; number += 1)
    for (const prefix of ['', '/wp-json'])
      for (const word of ['calendar', 'tribe']) {
        const origin = `http://host-${number}.test`;
        const { bytes } = read(origin, prefix, word);
        expect(JSON.parse(bytes.toString())).toEqual({ server: `${origin}${prefix}/${word}/events/v1`, word });
      }
  expect(times).toBe(4);
  read('http://host-1.test', '', 'calendar', new Date(NOW.getTime() + 24 * 60 * 60 * 1000));
  expect(times).toBe(5);
});
