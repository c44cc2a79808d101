import { type Capability, ROLE_NAMES, ROLES, SCOPE_NAMES, SCOPES } from '../../http/core/auth.ts';
import { type NamespaceName, Urls } from '../../http/core/urls.ts';
import { translatorFor } from '../../lib/i18n.ts';
import { type Html, html } from '../frame/html.ts';
import { codeBlock } from './docs-endpoint.ts';
import { shellWord } from './docs-example.ts';

interface Guide {
  origin: string;
  namespaces: readonly NamespaceName[];
  languages: readonly string[];
  /** Language of the titles; the text is in English. */
  language: string;
}

/** Chapter before the reference. */
export interface Chapter {
  id: string;
  title: string;
  body: Html;
}

/** Introduction before the first endpoint. */
export function guideChapters(guide: Guide): Chapter[] {
  const t = translatorFor(guide.language);
  return [
    { id: 'quick-start', title: t('docs.quick_start'), body: inEnglish(quickStart(guide)) },
    { id: 'authentication', title: t('docs.authentication'), body: inEnglish(authentication(guide)) },
    { id: 'conventions', title: t('docs.conventions'), body: inEnglish(conventions(guide)) },
  ];
}

const inEnglish = (body: Html): Html => html`<div lang="en">${body}</div>`;

function quickStart({ origin, namespaces }: Guide): Html {
  const urls = new Urls(origin);
  const events = urls.rest('events', '/events');
  const event = { title: 'Lantern Walk', start_date: 'tomorrow 20:30', end_date: 'tomorrow 22:00', cost: 'Free' };
  const places = { venue: { venue: 'Mascaret Park', city: 'Moncton' }, categories: ['Outdoors'] };
  return html`<p>Ask for the coming events. No account is needed to read what is published.</p>
${codeBlock(`curl ${shellWord(`${events}?per_page=3`)}`, 'List events')}
<p>Look for something: words, dates, categories, places near a point. Every filter of the list can be joined with every other.</p>
${codeBlock(`curl ${shellWord(`${events}?search=lantern&starts_after=today&categories=outdoors`)}`, 'Search events')}
<p>Create an event with an account that may. The venue and the category are created with it when they do not exist yet.</p>
${codeBlock(
  `curl ${shellWord(events)} \\\n  -u 'name:password' \\\n  -H 'Content-Type: application/json' \\\n  -d ${shellWord(JSON.stringify({ ...event, ...places }, undefined, 2))}`,
  'Create an event',
)}
<p>Change one field. Omitted fields keep their values. Use the id from the previous response.</p>
${codeBlock(
  `curl ${shellWord(`${events}/42`)} \\\n  -X PATCH \\\n  -u 'name:password' \\\n  -H 'Content-Type: application/json' \\\n  -d '{"featured": true}'`,
  'Change an event',
)}
<p>The same interface as OpenAPI 3.1, for code generators: ${namespaces.map(
    (name, index) => html`${index > 0 && ', '}<a href="${urls.rest(name, '/doc')}">${name}</a>`,
  )}.</p>`;
}

function authentication({ origin }: Guide): Html {
  const me = shellWord(new Urls(origin).rest('admin', '/me'));
  return html`<p>Reading what is published needs no account. Everything else needs one of these, the first three in the <code>Authorization</code> header:</p>
<dl>
<dt>HTTP Basic with the password of the account</dt><dd>Good for trying things out.</dd>
<dt>HTTP Basic with an application password</dt><dd>One for each program, so that each can be revoked alone. Spaces in it do not matter. <a href="#resource-application-passwords">Make one</a> with the account.</dd>
<dt>A bearer token</dt><dd>Limited to scopes, and to a date if you like. <a href="#resource-tokens">Make one</a> with the account; it is shown once.</dd>
<dt>A check-in key</dt><dd>For scanners at the door, sent as <code>X-API-Key</code> or <code>api_key</code> instead of an account: reads attendees and checks them in, nothing else. A wrong one counts as none. <a href="#resource-check-in-keys">Administrators make them</a>.</dd>
</dl>
${codeBlock(`curl -u 'name:password' ${me}\ncurl -H 'Authorization: Bearer TOKEN' ${me}`, 'Sign in')}
<p>Credentials that are wrong are refused with 401 even where none are needed, so that a mistake is noticed. After repeated failures the response is 429, and its <code>Retry-After</code> header says for how many seconds.</p>
<h3 id="roles">Roles</h3>
<p>The role of an account says what it may do.</p>
${rightsTable(
  'Role',
  ROLE_NAMES.map((name) => [name, ROLES[name]]),
)}
<h3 id="scopes">Scopes of tokens</h3>
<p>A token may do what its scopes name, as far as the role of its account allows.</p>
${rightsTable(
  'Scope',
  SCOPE_NAMES.map((name) => [name, SCOPES[name]]),
)}`;
}

type Grant = readonly [name: string, capabilities: readonly Capability[]];

const rightsTable = (what: string, grants: readonly Grant[]): Html => html`<table class="parameters pairs">
<thead><tr><th scope="col">${what}</th><th scope="col">May</th></tr></thead><tbody>${grants.map(
  ([name, capabilities]) =>
    html`<tr><th scope="row"><code>${name}</code></th><td>${capabilities.length === 0 ? 'read public records' : [...new Set(capabilities)].map((capability) => capability.replaceAll('_', ' ')).join(', ')}</td></tr>`,
)}</tbody></table>`;

function conventions({ origin, languages }: Guide): Html {
  const addresses = (['calendar', 'tribe'] as const).map((word) => new Urls(origin, '/wp-json', word).rest('events'));
  return html`<dl>
<dt>Addresses</dt><dd>Paths below continue ${code(origin)}. Programs written for the interface this one is compatible with may also use ${code(addresses[0])} or ${code(addresses[1])}; links in a response keep the spelling of the request.</dd>
<dt>Sending parameters</dt><dd>In the query, as a form or as a JSON body. Lists may be <code>a,b</code>, repeated <code>name[]</code>, or a JSON list; of any other name that is repeated the last value counts. True and false may be 1 and 0, yes and no, on and off. Names that are not known are ignored.</dd>
<dt>Clearing a field</dt><dd><code>null</code> or an empty text clears an optional field. Fields that are not sent keep their values.</dd>
<dt>Dates</dt><dd>ISO 8601 and most written forms, such as <code>2030-06-01 20:30</code>, <code>tomorrow 9am</code> or <code>+2 weeks</code>. Without an offset they are local times of the event, or of the site for filters.</dd>
<dt>Pages of a list</dt><dd><code>page</code> and <code>per_page</code>. The body has <code>total</code>, <code>total_pages</code> and links to the next and the previous page; the headers <code>X-TEC-Total</code> and <code>X-TEC-TotalPages</code> repeat the numbers. Lists of tickets and attendees have <code>X-ET-TOTAL</code> and <code>X-ET-TOTAL-PAGES</code>, and no links.</dd>
<dt>Writing tickets</dt><dd>Each write brings a <a href="#nonces-create">one-time token</a>, which it uses up if it succeeds.</dd>
<dt>Sending a write again</dt><dd>Any POST, PUT, PATCH or DELETE may bring an <code>Idempotency-Key</code>, a random text of 1 to 200 characters. When no response arrives, send the same request with the same key: for 24 hours it gets the same response and is done once. A secret such as a token is shown in the first response only; the repetition has <code>secret_shown</code> instead. While the first request is under way the response is 409 with <code>Retry-After</code>; the same key for something else is 422.</dd>
<dt>Carts</dt><dd>A new cart comes with a cookie for browsers, and with the same token in <code>X-Cart-Token</code> for programs, which send it back in that header.</dd>
<dt>Languages</dt><dd>Every endpoint takes <code>i18n_language</code>: ${languages.map((language, index) => html`${index > 0 && ' or '}<code>${language}</code>`)}. Without it the <code>Accept-Language</code> header decides. Error messages come in that language too.</dd>
<dt>Parts of a response</dt><dd><code>_fields=id,title</code> keeps the named members only; <code>_envelope</code> puts status and headers into the body; <code>_pretty</code> indents it.</dd>
<dt>Methods</dt><dd><code>HEAD</code> works wherever <code>GET</code> does, <code>OPTIONS</code> describes an endpoint and its parameters. Where only GET and POST get through, <code>_method</code> or the header <code>X-HTTP-Method-Override</code> names the one that is meant.</dd>
<dt>Caching</dt><dd>Responses to GET have an <code>ETag</code>; send it back as <code>If-None-Match</code>. If nothing changed, the response is an empty 304.</dd>
<dt>Editing what you have read</dt><dd>The <code>ETag</code> of a single record begins with its <code>revision</code>, which grows with each edit. Send it, or <code>"r7"</code>, as <code>If-Match</code> with a change: if the record has been edited since, nothing is changed, and the response is 412 <code>edit-conflict</code> with the current record in <code>data.record</code>.</dd>
<dt>Errors</dt><dd>Always <code>{code, message, data: {status}}</code>: the <a href="#errors">code</a> is for programs and stays the same, the message is for people.</dd>
</dl>`;
}

const code = (text = ''): Html => html`<code class="address">${text}</code>`;
