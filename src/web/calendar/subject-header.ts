import type { LinkedRecord } from '../../calendar/linked-kinds/registry.ts';
import { picture } from '../cards/picture.ts';
import { addressLines, directions, placeMap } from '../cards/place.ts';
import { Html, html } from '../frame/html.ts';
import type { Page } from '../frame/page-response.ts';
import type { Term } from '../frame/responses.ts';
import { type Subject, textOf } from '../frame/subject.ts';
import type { Visit } from '../frame/visit.ts';

/** Description of a category, tag, venue or organizer, below its name. */
export function subjectAbout(subject: Subject, visit: Visit): Html | undefined {
  switch (subject.kind) {
    case 'all':
      return undefined;
    case 'category':
    case 'tag':
      return aboutTerm(subject.record);
    case 'venue':
      return about(subject.record, contactFacts(subject.record, visit), placeMap([subject.record], visit));
    default:
      return about(subject.record, contactFacts(subject.record, visit));
  }
}

/** Structured data of a venue or an organizer. */
export function subjectData(subject: Subject): NonNullable<Page['data']> {
  if (subject.kind === 'all' || subject.kind === 'category' || subject.kind === 'tag') return [];
  const { json_ld: data } = subject.record;
  return data ? [data] : [];
}

const aboutTerm = ({ description }: Term): Html | undefined =>
  description === '' ? undefined : html`<div class="about text"><p dir="auto">${description}</p></div>`;

function about({ description = '', image }: LinkedRecord, facts: readonly Html[], map?: Html): Html | undefined {
  if (description === '' && !image && facts.length === 0 && !map) return undefined;
  return html`<div class="about h-card">
${picture(image, { size: 'medium_large', alt: '' })}
<div class="text" dir="auto">${description !== '' && new Html(description)}
${facts.length > 0 && html`<dl class="facts">${facts}</dl>`}
${map}</div>
</div>`;
}

/** Address of a venue on one line, with directions; undefined for anything else. */
export function subjectPlace(subject: Subject, visit: Visit): Html | undefined {
  if (subject.kind !== 'venue') return undefined;
  const address = addressLines(subject.record).join(', ');
  const ways = directions(subject.record, visit);
  if (address === '' && !ways) return undefined;
  return html`<p class="view-place"><span class="p-adr">${address}</span>${ways && html`${address !== '' && ' · '}${ways}`}</p>`;
}

/** Entry of a list of facts. */
export const fact = (term: string, value: Html): Html => html`<div><dt>${term}</dt><dd>${value}</dd></div>`;

/** Contact details of a record of any kind that has such attributes. */
function contactFacts(record: LinkedRecord, { t }: Visit): Html[] {
  const [website, phone, email] = ['website', 'phone', 'email'].map((name) => textOf(record, name));
  return [
    ...(website ? [fact(t('event.website'), websiteLink(website))] : []),
    ...(phone ? [fact(t('place.phone'), html`<a class="p-tel" href="tel:${dialled(phone)}">${phone}</a>`)] : []),
    ...(email ? [fact(t('place.email'), html`<a class="u-email" href="mailto:${email}">${email}</a>`)] : []),
  ];
}

/** Link to a website, with its host as text. */
export const websiteLink = (address: string): Html =>
  html`<a class="u-url" rel="noopener" href="${address}">${hostOf(address)}</a>`;

/** Host of an address, for people. */
export const hostOf = (address: string): string => URL.parse(address)?.hostname.replace(/^www\./, '') ?? address;

/** Digits of a phone number for dialling, without words, spaces and marks. */
export const dialled = (phone: string): string => phone.replace(/[^\d+]/g, '');
