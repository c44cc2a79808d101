import { type NewsFeed, newsItems, rfc3339 } from './news-item.ts';

/** A JSON Feed 1.1 (https://www.jsonfeed.org/version/1.1/). */
export function jsonFeed(feed: NewsFeed): string {
  const items = newsItems(feed).map((item) => ({
    id: item.permalink,
    url: item.url,
    title: item.title,
    summary: item.facts,
    content_html: item.content,
    ...(item.image && { image: item.image.url }),
    date_published: rfc3339(item.published),
    date_modified: rfc3339(item.modified),
    ...(item.organizers.length > 0 && { authors: item.organizers.map(({ name, url }) => ({ name, url })) }),
    ...(item.keywords.length > 0 && { tags: item.keywords }),
    ...(item.image && {
      attachments: [{ url: item.image.url, mime_type: item.image.type, size_in_bytes: item.image.bytes }],
    }),
  }));
  return JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title: feed.title,
    home_page_url: feed.url,
    feed_url: feed.feedUrl,
    language: feed.language,
    items,
  });
}
