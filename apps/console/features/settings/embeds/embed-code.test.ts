import { describe, expect, it } from 'vitest';
import { type Embed, elementCode, embedPath, frameCode } from './embed-code.ts';

const NONE = { category: '', tag: '', venue: '', organizer: '', search: '', limit: '' };
const list = (filters: Partial<Embed['filters']>, language = ''): Embed => ({
  ...{ content: 'list', event: '', language, theme: '' },
  filters: { ...NONE, ...filters },
});
const event = (slug: string, language = ''): Embed => ({
  ...{ content: 'event', event: slug, language, theme: '' },
  filters: NONE,
});

const PLACE = { origin: 'https://hall.example', title: 'Fish & "Chips"' };

describe('events on other sites', () => {
  it.each<[Embed, string]>([
    [list({}), '/embed/events/'],
    [list({ category: 'jazz', limit: '5' }, 'fr'), '/fr/embed/events/?categories=jazz&limit=5'],
    [list({ tag: 'open air', venue: '3', organizer: '4' }), '/embed/events/?tags=open+air&venue=3&organizer=4'],
    [list({ search: 'rock & roll?' }), '/embed/events/?search=rock+%26+roll%3F'],
    [{ ...list({ category: 'jazz', limit: '5' }, 'fr'), content: 'month' }, '/fr/embed/month/?categories=jazz'],
    [{ ...list({ limit: '5' }), theme: 'dark' }, '/embed/events/?limit=5&theme=dark'],
    [{ ...event('gala'), theme: 'light' }, '/embed/event/gala/?theme=light'],
    [event('jazz-on-the-quay'), '/embed/event/jazz-on-the-quay/'],
    [event('会員の夕べ', 'de'), '/de/embed/event/%E4%BC%9A%E5%93%A1%E3%81%AE%E5%A4%95%E3%81%B9/'],
    [event('../../console'), '/embed/event/..%2F..%2Fconsole/'],
  ])('%j are at %s', (embed, path) => {
    expect(embedPath(embed)).toBe(path);
  });

  it('are an element with its script, in which nothing can end an attribute', () => {
    expect(elementCode(list({ category: 'jazz', search: '"><script>alert(1)</script>' }, 'fr'), PLACE)).toBe(
      `<script src="https://hall.example/embed.js" async></script>
<marquee-events category="jazz" search="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;" language="fr" title="Fish &amp; &quot;Chips&quot;"></marquee-events>`,
    );
    const month: Embed = { ...list({ category: 'jazz', limit: '5' }), content: 'month', theme: 'dark' };
    expect(elementCode(month, PLACE)).toContain('<marquee-events view="month" category="jazz" theme="dark" title=');
    // A single event has no filters, whatever was chosen for the list before.
    const single = { ...list({ category: 'jazz' }), ...event('gala'), filters: { ...NONE, category: 'jazz' } };
    expect(elementCode(single, PLACE)).toContain('<marquee-events event="gala" title=');
  });

  it('are a frame of a height, for pages without scripts', () => {
    expect(frameCode(list({ category: 'jazz', limit: '3' }), { ...PLACE, height: 600 })).toBe(
      '<iframe src="https://hall.example/embed/events/?categories=jazz&amp;limit=3" title="Fish &amp; &quot;Chips&quot;" width="100%" height="600" loading="lazy" style="border: 0"></iframe>',
    );
  });
});
