import { encodeQuery } from '../../http/core/urls.ts';
import { type Html, html } from '../frame/html.ts';
import type { Event } from '../frame/responses.ts';
import type { Visit } from '../frame/visit.ts';

/** Links to share an event: by mail and, with scripts, by the share dialog of the device. */
export function shareLinks({ title, url }: Event, { t, link, origin }: Visit): Html {
  const address = `${origin}${link(url)}`;
  const mail = encodeQuery({ subject: title, body: address }).replaceAll('+', '%20');
  return html`<p class="share"><button type="button" class="quiet" data-share="${title}" hidden>${t('share.act')}</button>
<button type="button" class="quiet" data-copy="${address}" hidden>${t('share.copy')}</button>
<a href="mailto:?${mail}">${t('share.mail')}</a></p>`;
}
