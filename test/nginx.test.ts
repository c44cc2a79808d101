import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { endpoints } from '../src/app.ts';
import { Urls } from '../src/http/core/urls.ts';
import { PERSONAL_HEADERS } from '../src/http/input/parsed-request.ts';

const TEXT = readFileSync(join(import.meta.dirname, '../docs/nginx.conf'), 'utf8');

/** Patterns of the locations whose responses are cached. */
const KEPT = [...TEXT.matchAll(/location ~\* (\S+) \{([^}]*)\}/g)].flatMap(([, pattern = '', block = '']) =>
  block.includes('proxy_cache ') ? [new RegExp(pattern, 'i')] : [],
);

const REFERENCE = new Urls('', '/wp-json', 'tribe');
const STYLES = [new Urls(''), new Urls('', '/wp-json'), REFERENCE];

describe('the cache of docs/nginx.conf', () => {
  it('is used by the same viewers as the response cache', () => {
    const [, variables = ''] = /^map (\S+) \$is_personal /m.exec(TEXT) ?? [];
    const names = [...variables.matchAll(/\$http_([a-z_]+)/g)].map(([, name = '']) => name.replaceAll('_', '-'));
    expect(names).toEqual(PERSONAL_HEADERS);
  });

  it.each(endpoints)('caches responses of the calendar only: $name', ({ namespace, path }) => {
    const styles = namespace === 'wp' ? [REFERENCE] : STYLES;
    const addresses = styles.map((urls) => urls.rest(namespace, path));
    const kept = addresses.filter((address) => KEPT.some((pattern) => pattern.test(address)));
    expect(kept).toEqual(namespace === 'events' || namespace === 'wp' ? addresses : []);
  });
});
