import type { CalendarLinks } from '../feeds/calendar-links.ts';
import { type Html, html } from '../frame/html.ts';
import type { Visit } from '../frame/visit.ts';

interface CalendarMenu extends Omit<CalendarLinks, 'webcal'> {
  /** Absent for one event: the calendar program of the device takes it from the file. */
  webcal?: string;
  heading: string;
  /** Path of the iCalendar file. */
  file: string;
  /** Absolute address of the feed or file, for copying. */
  address: string;
}

/** Sheet of a calendar with a plus. */
const CALENDAR_ICON = html`<svg class="icon" viewBox="0 0 20 20" aria-hidden="true"><path d="M17.5 9V5.5A1.5 1.5 0 0 0 16 4H4a1.5 1.5 0 0 0-1.5 1.5V16A1.5 1.5 0 0 0 4 17.5h5.5M2.5 8h15M6.5 2v3.5m7-3.5v3.5m1 6.5v6m-3-3h6"/></svg>`;

/** Menu of ways to add events to a calendar. */
export function calendarMenu(
  { t }: Visit,
  { heading, file, address, webcal, google, outlook, office365 }: CalendarMenu,
): Html {
  return html`<details class="menu"><summary>${CALENDAR_ICON}<span class="word">${heading}</span></summary><ul class="calendar-ways">
<li><a href="${webcal ?? file}">${t('calendar.program')}</a></li>
<li><a rel="noopener" href="${google}">Google Calendar</a></li>
<li><a rel="noopener" href="${outlook}">Outlook.com</a></li>
<li><a rel="noopener" href="${office365}">Microsoft 365</a></li>
${webcal !== undefined && html`<li><a href="${file}">${t('calendar.file')}</a></li>`}
<li><button type="button" class="quiet" hidden data-copy="${address}">${t('share.copy')}</button></li>
</ul></details>`;
}
