import { type Scheme, type SiteColors, schemesOf } from '../../lib/theme.ts';
import { type Html, html } from '../frame/html.ts';

/** The one layout of mails: HTML with inline styles, and a twin in plain text, made of the same blocks. */

type Row = readonly [label: string, value: string];

/** Part of a mail. Texts are plain; the HTML escapes them. */
export type Block =
  | { kind: 'text'; text: string; isQuiet?: boolean; isIntro?: boolean }
  | { kind: 'heading'; text: string }
  /** `isMain` shows the value of the first row in large figures. */
  | { kind: 'facts'; rows: readonly Row[]; isMain?: boolean }
  | EventBlock
  | { kind: 'amounts'; rows: readonly { name: string; amount: string; isTotal?: boolean; isNote?: boolean }[] }
  | { kind: 'button'; label: string; url: string; isSecondary?: boolean }
  | { kind: 'code'; cid: string; code: string; alt: string; lines: readonly string[] };

export interface EventBlock {
  kind: 'event';
  title: string;
  /** Absent for an event that takes place as planned. */
  state?: Row;
  /** A line for each date. */
  when: Row;
  /** Whether the dates are struck out. */
  isOff: boolean;
  more: readonly Row[];
}

export interface MailBody {
  language: string;
  siteName: string;
  heading: string;
  blocks: readonly Block[];
  /** Reason why the reader gets the mail. */
  footer: string;
  footerLink?: { label: string; url: string };
  colors: SiteColors;
}

/** Width of the layout in pixels. */
const WIDTH = 600;
const CODE_WIDTH = 240;
const SANS = 'font-family:system-ui,-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif';
const SERIF = 'font-family:Iowan Old Style,Palatino Linotype,Palatino,Georgia,serif';
const TABLE = html`role="presentation" width="100%" cellpadding="0" cellspacing="0"`;
/** Maximum length of a label beside its value. */
const SHORT_LABEL = 12;
/** Maximum length of the first words in lists of mails. */
const PREVIEW = 150;

/** Programs with a dark scheme replace the inline colours. */
const darkStyle = (dark: Scheme): string => `:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){.page{background:${dark.paper}!important}.card{background:${dark.raised}!important}
.panel{background:${dark.panel}!important}.sign{background:${dark.sign}!important;border-color:${dark.lamp}!important}
.ink{color:${dark.ink}!important}.quiet{color:${dark.soft}!important}.rule{border-color:${dark.line}!important}
.bad{color:${dark.bad}!important}.link{color:${dark.accent}!important}
.act{background:${dark.accent}!important;border-color:${dark.accent}!important;color:${dark['on-accent']}!important}
.other{border-color:${dark.edge}!important;color:${dark.ink}!important}}`;

export function htmlOf({ language, siteName, heading, blocks, footer, footerLink, colors }: MailBody): string {
  const { light, dark } = schemesOf(colors);
  return html`<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<title>${heading}</title><style>${darkStyle(dark)}</style></head>
<body class="page" style="margin:0;padding:0;background:${light.panel}">
<div style="display:none;max-height:0;overflow:hidden">${previewOf(blocks)}</div>
<table class="page" ${TABLE} style="background:${light.panel}"><tr><td align="center" style="padding:16px 8px 32px">
<table class="card" ${TABLE} style="max-width:${WIDTH}px;background:${light.raised};border-radius:8px">
<tr><td class="sign" style="padding:18px 24px;background:${light.sign};border-bottom:4px dotted ${light.lamp};border-radius:8px 8px 0 0;color:${light.lamp};${SERIF};font-size:20px;line-height:1.3;font-weight:bold" dir="auto">${siteName}</td></tr>
<tr><td class="ink" style="padding:28px 24px 12px;color:${light.ink};${SANS};font-size:16px;line-height:1.5">
<h1 class="ink" style="margin:0 0 16px;${SERIF};font-size:28px;line-height:1.2;color:${light.ink}" dir="auto">${heading}</h1>
${blocks.map((block) => blockHtml(block, light))}</td></tr></table>
<table ${TABLE} style="max-width:${WIDTH}px"><tr><td class="quiet" style="padding:16px 24px;color:${light.soft};${SANS};font-size:13px;line-height:1.5">${footer}${footerLink && html`<br><a class="link" href="${footerLink.url}" style="color:${light.accent}">${footerLink.label}</a>`}</td></tr></table>
</td></tr></table></body></html>
`.text;
}

/** First words in lists of mails: the introduction, and the date of the event. */
function previewOf(blocks: readonly Block[]): string {
  const text = blocks.find((block) => block.kind === 'text')?.text ?? '';
  const when = blocks.find((block) => block.kind === 'event')?.when[1].split('\n')[0];
  return [...[text, when].filter(Boolean).join(' · ')].slice(0, PREVIEW).join('');
}

function blockHtml(block: Block, light: Scheme): Html {
  const { ink, soft, line } = light;
  switch (block.kind) {
    case 'text':
      return html`<p class="${block.isQuiet ? 'quiet' : 'ink'}" style="margin:0 0 16px;color:${block.isQuiet ? soft : ink};font-size:${block.isQuiet ? 14 : 16}px">${linesHtml(block.text.split('\n'))}</p>
`;
    case 'heading':
      return html`<h2 class="ink" style="margin:24px 0 8px;font-size:18px;line-height:1.3;color:${ink}" dir="auto">${block.text}</h2>
`;
    case 'facts':
      return block.isMain ? panelHtml(mainFactsHtml(block.rows, light), light) : factsHtml(block.rows, light);
    case 'event':
      return panelHtml(eventHtml(block, light), light);
    case 'amounts':
      return html`<table ${TABLE} style="margin:0 0 24px;${SANS};font-size:16px;line-height:1.5">${block.rows.map(
        ({ name, amount, isTotal, isNote }) => {
          const cell = `padding:6px 0;${isTotal ? `border-top:1px solid ${line};font-weight:bold;` : ''}${isNote ? `font-size:14px;color:${soft}` : `color:${ink}`}`;
          const names = `${isNote ? 'quiet' : 'ink'} rule`;
          return html`<tr><td class="${names}" valign="top" style="${cell}" dir="auto">${name}</td><td class="${names}" align="right" valign="top" style="${cell};padding-left:16px;white-space:nowrap">${amount}</td></tr>`;
        },
      )}</table>
`;
    case 'button':
      return html`<p style="margin:0 0 20px"><a class="${block.isSecondary ? 'other' : 'act'}" href="${block.url}" style="display:inline-block;padding:12px 22px;border-radius:4px;font-weight:bold;text-decoration:none;${block.isSecondary ? `border:1px solid ${light.edge};color:${ink}` : `border:1px solid ${light.accent};background:${light.accent};color:${light['on-accent']}`}">${block.label}</a></p>
`;
    case 'code': {
      const [name, ...lines] = block.lines;
      return html`<table class="rule" ${TABLE} style="margin:0 0 16px;border:1px solid ${line};border-radius:8px"><tr><td class="ink" align="center" style="padding:16px;color:${ink};${SANS};font-size:16px;line-height:1.5">
<img src="cid:${block.cid}" width="${CODE_WIDTH}" height="${CODE_WIDTH}" alt="${block.alt}" style="display:block;background:#ffffff;color:#221d26;border:0;border-radius:8px">
${name !== undefined && html`<p class="ink" style="margin:8px 0 0;font-size:18px;font-weight:bold;color:${ink}" dir="auto">${name}</p>`}
${lines.map((line) => html`<p class="ink" style="margin:0;color:${ink}" dir="auto">${line}</p>`)}
<p class="quiet" style="margin:4px 0 0;font-family:monospace;font-size:16px;letter-spacing:1px;color:${soft}">${block.code}</p></td></tr></table>
`;
    }
  }
}

const panelHtml = (content: Html, { panel }: Scheme): Html =>
  html`<table class="panel" ${TABLE} style="margin:0 0 24px;background:${panel};border-radius:8px"><tr><td style="padding:16px 20px 8px">${content}</td></tr></table>
`;

/** Labels beside their values; above them, if one is long. */
const factsHtml = (rows: readonly Row[], scheme: Scheme): Html =>
  rows.some(([label]) => label.length > SHORT_LABEL)
    ? html`<div style="padding:0 0 8px">${rows.map((row) => rowHtml(row, scheme))}</div>`
    : html`<table cellpadding="0" cellspacing="0" style="margin:0 0 20px;${SANS};font-size:16px;line-height:1.5">${rows.map(
        ([label, value]) =>
          html`<tr><th class="quiet" scope="row" align="left" valign="top" style="padding:3px 16px 3px 0;font-weight:normal;white-space:nowrap;color:${scheme.soft}">${label}</th><td class="ink" valign="top" style="padding:3px 0;color:${scheme.ink}" dir="auto">${linesHtml(value.split('\n'))}</td></tr>`,
      )}</table>
`;

/** A label above its value. */
const rowHtml = ([label, value]: Row, { ink, soft }: Scheme, style = ''): Html =>
  html`<p class="quiet" style="margin:0;${SANS};font-size:14px;line-height:1.5;color:${soft}">${label}</p>
<p class="ink" style="margin:0 0 10px;${SANS};font-size:16px;line-height:1.5;${style}color:${ink}" dir="auto">${linesHtml(value.split('\n'))}</p>
`;

/** The first value in large figures. */
const mainFactsHtml = (rows: readonly Row[], scheme: Scheme): Html =>
  html`${rows.map((row, index) => rowHtml(row, scheme, index === 0 ? 'font-size:26px;line-height:1.3;font-weight:bold;' : ''))}`;

function eventHtml({ title, state, when, isOff, more }: EventBlock, scheme: Scheme): Html {
  const { ink, bad } = scheme;
  return html`${state && html`<p class="bad" style="margin:0 0 4px;${SANS};font-size:14px;font-weight:bold;color:${bad}">${state[1]}</p>`}<h2 class="ink" style="margin:0 0 12px;${SERIF};font-size:21px;line-height:1.25;color:${ink}" dir="auto">${title}</h2>
${rowHtml(when, scheme, `font-weight:bold;${isOff ? 'text-decoration:line-through;' : ''}`)}${more.map((row) => rowHtml(row, scheme))}`;
}

const linesHtml = (lines: readonly string[]): Html =>
  html`${lines.map((line, index) => (index === 0 ? unbroken(line) : html`<br>${unbroken(line)}`))}`;

/** Times of day with their zone, which stay on one line. */
const TIMES = /(\d{1,2}[:.]\d\d(?:\s?[–-]\s?\d{1,2}[:.]\d\d)?(?: Uhr)?(?: [A-Z]{2,5}\b)?)/;

const unbroken = (line: string): Html =>
  html`${line.split(TIMES).map((part, index) => (index % 2 === 1 ? html`<span style="white-space:nowrap">${part}</span>` : part))}`;

export function textOf({ language, siteName, heading, blocks, footer, footerLink }: MailBody): string {
  const colon = colonOf(language);
  const last = footerLink ? `${footer}\n${footerLink.label}${colon} ${footerLink.url}` : footer;
  const parts = blocks.map((block) => blockText(block, colon));
  return `${[siteName, heading, ...parts, '-- ', last].join('\n\n').replace('-- \n\n', '-- \n')}\n`;
}

/** French has a space before a colon. */
const colonOf = (language: string): string => (/^fr\b/.test(language) ? '\u00a0:' : ':');

function blockText(block: Block, colon: string): string {
  const rowsText = (rows: readonly Row[]) =>
    rows.map(([label, value]) => `${label}${colon} ${value.replaceAll('\n', '\n  ')}`).join('\n');
  switch (block.kind) {
    case 'text':
      return block.text;
    case 'heading':
      return underlined(block.text);
    case 'facts':
      return rowsText(block.rows);
    case 'event':
      return `${underlined(block.title)}\n\n${rowsText([...(block.state ? [block.state] : []), block.when, ...block.more])}`;
    case 'amounts':
      return block.rows.map(({ name, amount }) => `${name}${colon} ${amount}`).join('\n');
    case 'button':
      return `${block.label}${colon}\n${block.url}`;
    case 'code':
      return [block.code, ...block.lines].join('\n');
  }
}

const underlined = (text: string): string => `${text}\n${'-'.repeat(Math.min([...text].length, 60))}`;
