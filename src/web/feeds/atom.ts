import { type Html, html } from '../frame/html.ts';
import { lastChange, type NewsFeed, type NewsItem, newsItems, rfc3339 } from './news-item.ts';
import { xmlDocument } from './xml.ts';

/** Atom requires a date of the last change even without entries. */
const NEVER = '1970-01-01 00:00:00';

/** An Atom feed (RFC 4287). */
export function atomFeed(feed: NewsFeed): string {
  const items = newsItems(feed);
  return xmlDocument(html`<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${feed.language}">
<id>${feed.feedUrl}</id>
<title>${feed.title}</title>
<updated>${rfc3339(lastChange(items) ?? NEVER)}</updated>
<author><name>${feed.title}</name></author>
<link rel="self" type="application/atom+xml" href="${feed.feedUrl}"/>
<link rel="alternate" type="text/html" href="${feed.url}"/>
${items.map(entryOf)}</feed>`);
}

const entryOf = (item: NewsItem): Html => html`<entry>
<id>${item.permalink}</id>
<title>${item.title}</title>
<published>${rfc3339(item.published)}</published>
<updated>${rfc3339(item.modified)}</updated>
${item.organizers.slice(0, 1).map(({ name }) => html`<author><name>${name}</name></author>\n`)}<link rel="alternate" type="text/html" href="${item.url}"/>
${item.image && html`<link rel="enclosure" href="${item.image.url}" length="${item.image.bytes}" type="${item.image.type}"/>\n`}${item.keywords.map((word) => html`<category term="${word}"/>\n`)}<summary>${item.facts}</summary>
<content type="html">${item.content}</content>
</entry>
`;
