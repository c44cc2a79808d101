import { type Html, html } from './html.ts';
import type { Visit } from './visit.ts';

/** Magnifying glass. */
const FIND_ICON = html`<svg class="icon" viewBox="0 0 20 20" aria-hidden="true"><circle cx="8.5" cy="8.5" r="5.5"/><path d="m13 13 5 5"/></svg>`;

/** Search for events with its button. */
export const searchField = ({ t }: Pick<Visit, 't'>, words = ''): Html =>
  html`<p class="filter-words"><label class="visually-hidden" for="search">${t('filter.search')}</label><input type="search" id="search" name="search" maxlength="200" placeholder="${t('filter.find')}" value="${words}"><button>${FIND_ICON}<span class="visually-hidden">${t('filter.find')}</span></button></p>`;
