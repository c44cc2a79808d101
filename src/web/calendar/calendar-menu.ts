import type { CalendarLinks } from '../feeds/calendar-links.ts';
import { type Html, html } from '../frame/html.ts';
import type { Visit } from '../frame/visit.ts';

interface CalendarMenu extends CalendarLinks {
  heading: string;
  /** Path of the iCalendar file. */
  file: string;
  /** Absolute address of the feed or file, for copying. */
  address: string;
}

/** Menu of ways to add events to a calendar. */
export function calendarMenu(
  { t }: Visit,
  { heading, file, address, webcal, google, outlook, office365 }: CalendarMenu,
): Html {
  return html`<details><summary>${heading}</summary><ul class="calendar-ways">
<li><a href="${webcal}">${t('calendar.program')}</a></li>
<li><a rel="noopener" href="${google}">Google Calendar</a></li>
<li><a rel="noopener" href="${outlook}">Outlook.com</a></li>
<li><a rel="noopener" href="${office365}">Microsoft 365</a></li>
<li><a href="${file}">${t('calendar.file')}</a></li>
<li><button type="button" class="quiet" hidden data-copy="${address}">${t('share.copy')}</button></li>
</ul></details>`;
}
