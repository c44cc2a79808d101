import { ROLE_NAMES, type Role } from '../../http/core/auth.ts';
import type { AnyEndpoint } from '../../http/core/endpoint.ts';
import { type ErrorCode, messageOf, statusOf } from '../../http/core/errors.ts';
import { BODY_ONLY } from '../../http/input/params.ts';
import { translate } from '../../lib/i18n.ts';
import { type Html, html, prose } from '../frame/html.ts';
import { curlExample } from './docs-example.ts';
import type { Operation, Parameter } from './docs-operation.ts';
import { type Rights, rightsOf } from './docs-rights.ts';
import { schemaTree, typeOf } from './docs-schema.ts';

interface Documented {
  endpoint: AnyEndpoint;
  /** Operation of its first method; the others are identical. */
  operation: Operation;
  /** Base URL of its namespace. */
  root: string;
}

export const endpointAnchor = ({ name }: AnyEndpoint): string => name.replaceAll('.', '-');

/** Two endpoints may do the same by id and by slug. */
export const titleOf = ({ name, summary }: AnyEndpoint): string =>
  name.endsWith('_by_slug') ? `${summary}, by slug` : summary;

export const methodBadges = ({ methods }: AnyEndpoint): Html =>
  html`${methods.map((method) => html`<span class="method ${method.toLowerCase()}">${method}</span> `)}`;

/** Section about one endpoint. */
export function endpointSection({ endpoint, operation, root }: Documented): Html {
  const anchor = endpointAnchor(endpoint);
  const rights = rightsOf(endpoint);
  const { pathname } = new URL(root);
  return html`<article class="endpoint" id="${anchor}" aria-labelledby="${anchor}-title">
<h4 id="${anchor}-title"><a class="anchor" href="#${anchor}">${titleOf(endpoint)}</a></h4>
<p class="call">${methodBadges(endpoint)}<code>${pathname}<wbr>${withParameters(endpoint.path)}</code></p>
${endpoint.description && html`<p>${prose(endpoint.description)}</p>`}
<p class="rights"><strong>Who may:</strong> ${rightsText(rights)}</p>
${parameterTable(parametersOf(endpoint, operation), anchor)}
${describeResponses(operation)}
${errors(endpoint.errors)}
${codeBlock(curlExample(endpoint, { root, isSecured: rights !== undefined }), `Example for “${titleOf(endpoint)}”`)}
</article>`;
}

const withParameters = (path: string): Html =>
  html`${path.split(/(\{\w+\})/).map((part) => (part.startsWith('{') ? html`<var>${part}</var>` : html`${part}`))}`;

function rightsText(rights: Rights | undefined): Html {
  if (!rights) return html`everyone.`;
  const groups = [
    { roles: rights.all, limit: '' },
    { roles: rights.own, limit: ' (own records)' },
    { roles: rights.unpublished, limit: ' (own records until they are published)' },
  ].flatMap(({ roles, limit }) => (roles.length > 0 ? [`${roleNames(roles)}${limit}`] : []));
  if (groups.length === 0) return html`viewers with a <a href="#authentication">key or token</a> for it.`;
  return html`${groups.join('; ')}.`;
}

const roleNames = (roles: readonly Role[]): string =>
  roles.length === ROLE_NAMES.length ? 'every account' : roles.join(', ');

/** Accepted by every endpoint, so described once, like the headers. */
const EVERYWHERE = 'i18n_language';

function parametersOf({ input }: AnyEndpoint, { parameters, requestBody }: Operation): Parameter[] {
  const body = Object.values(requestBody?.content ?? {})[0]?.schema;
  const fields = Object.entries(body?.properties ?? {}).map(([name, schema]): Parameter => {
    // Updates share the descriptions of creation.
    const { description } = (input[name] ?? input[`${BODY_ONLY}${name}`])?.meta() ?? {};
    return { name, in: 'body', required: body?.required?.includes(name), description, schema };
  });
  const own = parameters.filter((item) => item.in !== 'header');
  const all = [...own, ...fields].filter(({ name }) => name !== EVERYWHERE);
  return [...all.filter(({ required }) => required), ...all.filter(({ required }) => !required)];
}

function parameterTable(parameters: readonly Parameter[], anchor: string): Html | undefined {
  if (parameters.length === 0) return undefined;
  const rows = parameters.map(
    ({ name, in: place, required, description = '', schema }) => html`<tr>
<th scope="row"><code>${name}</code>${required && html` <span class="required">required</span>`}</th>
<td class="type">${typeOf(schema)}<span class="place"> in the ${place}</span></td>
<td>${prose(description)}</td></tr>`,
  );
  return html`<table class="parameters" aria-labelledby="${anchor}-title"><thead><tr><th scope="col">Parameter</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead><tbody>${rows}</tbody></table>`;
}

function describeResponses({ responses }: Operation): Html[] {
  return Object.entries(responses)
    .filter(([status]) => Number(status) < 400)
    .map(([status, { description, content }]) => {
      const schema = content && Object.values(content)[0]?.schema;
      const line = html`<span class="status">${status}</span> ${description}${schema && html`: ${typeOf(schema)}`}`;
      if (!schema?.properties) return html`<p class="answer">${line}</p>`;
      return html`<details class="answer"><summary>${line}</summary>${schemaTree(schema)}</details>`;
    });
}

function errors(codes: readonly ErrorCode[]): Html {
  const more = html`<a href="#errors-everywhere">errors that any request may meet</a>`;
  if (codes.length === 0) return html`<p class="answer">Errors: only the ${more}.</p>`;
  const sorted = codes.toSorted((a, b) => statusOf(a) - statusOf(b));
  const rows = sorted.map((code) => html`<li>${errorLine(code)}</li>`);
  return html`<details class="answer"><summary>Errors</summary><ul class="errors">${rows}</ul><p>And the ${more}.</p></details>`;
}

const errorLine = (code: ErrorCode): Html =>
  html`<span class="status">${statusOf(code)}</span> <a href="#error-${code}"><code>${code}</code></a> ${meaningOf(code, 'en')}`;

/** Message of an error, with placeholders for its values. */
export const meaningOf = (code: ErrorCode, language: string): Html => {
  const { key, values } = messageOf(code);
  return prose(translate(language, key, values).replace(/\{\w+\}/g, '…'));
};

/** Code block with a copy button, which the script adds. */
export const codeBlock = (code: string, label: string): Html =>
  html`<div class="code"><pre tabindex="0" role="region" aria-label="${label}"><code>${code}</code></pre></div>`;
