import { fromUtc, type LocalTime } from '../../lib/dates/dates.ts';
import { type Html, html } from '../frame/html.ts';
import { lastChange, type NewsFeed, type NewsItem, newsItems } from './news-item.ts';
import { xmlDocument } from './xml.ts';

/** RSS 2.0 feed. Markup is escaped HTML, as most readers expect. */
export function rssFeed(feed: NewsFeed): string {
  const items = newsItems(feed);
  const changed = lastChange(items);
  return xmlDocument(html`<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/">
<channel>
<title>${feed.title}</title>
<link>${feed.url}</link>
<description>${feed.title}</description>
<language>${feed.language}</language>
${changed && html`<lastBuildDate>${rfc822(changed)}</lastBuildDate>\n`}<atom:link rel="self" type="application/rss+xml" href="${feed.feedUrl}"/>
${items.map(itemOf)}</channel>
</rss>`);
}

const itemOf = (item: NewsItem): Html => html`<item>
<title>${item.title}</title>
<link>${item.url}</link>
<guid isPermaLink="false">${item.permalink}</guid>
<pubDate>${rfc822(item.published)}</pubDate>
${item.organizers.slice(0, 1).map(({ name }) => html`<dc:creator>${name}</dc:creator>\n`)}${item.keywords.map((word) => html`<category>${word}</category>\n`)}<description>${html`<p>${item.facts}</p>`.text}${item.excerpt}</description>
<content:encoded>${item.content}</content:encoded>
${item.image && html`<enclosure url="${item.image.url}" length="${item.image.bytes}" type="${item.image.type}"/>\n`}</item>
`;

/** `Sat, 06 Mar 2027 18:30:00 GMT` */
const rfc822 = (utc: LocalTime): string => fromUtc(utc).toUTCString();
