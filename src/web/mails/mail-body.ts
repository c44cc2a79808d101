import type { SiteColors } from '../../lib/theme.ts';
import { type Html, html } from '../frame/html.ts';

/** The one layout of mails: HTML with inline styles, and a twin in plain text, made of the same blocks. */

/** Part of a mail. Texts are plain; the HTML escapes them. */
export type Block =
  | { kind: 'text'; text: string; isQuiet?: boolean; isIntro?: boolean }
  | { kind: 'heading'; text: string }
  | { kind: 'facts'; rows: readonly (readonly [label: string, value: string])[] }
  | { kind: 'button'; label: string; url: string }
  | { kind: 'code'; cid: string; code: string; alt: string; lines: readonly string[] };

export interface MailBody {
  language: string;
  siteName: string;
  heading: string;
  /** First words in lists of mails. */
  preview: string;
  blocks: readonly Block[];
  /** Reason why the reader gets the mail. */
  footer: string;
  footerLink?: { label: string; url: string };
  colors: Pick<SiteColors, 'sign' | 'lamp'>;
}

/** Width of the layout in pixels. */
const WIDTH = 600;
const CODE_WIDTH = 220;
const FONT = 'font-family:system-ui,-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif';

const INK = '#1c1b19';
const QUIET = '#5c5850';
const PAPER = '#f4f1ea';
const CARD = '#ffffff';
const RULE = '#ddd7ca';
const LINK = '#1a4f8b';

/** Programs with a dark scheme replace the inline colours. */
const STYLE = `:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){.page{background:#161513!important}.card{background:#211f1c!important}
.ink{color:#f3f0e9!important}.quiet{color:#bdb7ab!important}.rule{border-color:#45413a!important}.link{color:#9cc4f5!important}}`;

export function htmlOf({ language, siteName, heading, preview, blocks, footer, footerLink, colors }: MailBody): string {
  return html`<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<title>${heading}</title><style>${STYLE}</style></head>
<body class="page" style="margin:0;padding:0;background:${PAPER}">
<div style="display:none;max-height:0;overflow:hidden">${preview}</div>
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" style="background:${PAPER}"><tr><td align="center" style="padding:16px 8px">
<table role="presentation" class="card" width="100%" cellpadding="0" cellspacing="0" style="max-width:${WIDTH}px;background:${CARD}">
<tr><td style="padding:16px 24px;background:${colors.sign};color:${colors.lamp};${FONT};font-size:18px;font-weight:bold" dir="auto">${siteName}</td></tr>
<tr><td class="ink" style="padding:24px;color:${INK};${FONT};font-size:16px;line-height:1.5">
<h1 class="ink" style="margin:0 0 16px;font-size:24px;line-height:1.25;color:${INK}" dir="auto">${heading}</h1>
${blocks.map(blockHtml)}</td></tr>
<tr><td class="quiet rule" style="padding:16px 24px;border-top:1px solid ${RULE};color:${QUIET};${FONT};font-size:13px;line-height:1.5">${footer}${footerLink && html`<br><a class="link" href="${footerLink.url}" style="color:${LINK}">${footerLink.label}</a>`}</td></tr>
</table></td></tr></table></body></html>
`.text;
}

function blockHtml(block: Block): Html {
  switch (block.kind) {
    case 'text':
      return html`<p class="${block.isQuiet ? 'quiet' : 'ink'}" style="margin:0 0 16px;color:${block.isQuiet ? QUIET : INK}">${linesHtml(block.text.split('\n'))}</p>
`;
    case 'heading':
      return html`<h2 class="ink" style="margin:24px 0 8px;font-size:18px;line-height:1.3;color:${INK}" dir="auto">${block.text}</h2>
`;
    case 'facts':
      return html`<table class="ink" cellpadding="0" cellspacing="0" style="margin:0 0 16px;color:${INK};${FONT};font-size:16px;line-height:1.5">${block.rows.map(
        ([label, value]) =>
          html`<tr><th class="quiet" scope="row" align="left" valign="top" style="padding:2px 16px 2px 0;font-weight:normal;color:${QUIET}">${label}</th><td class="ink" valign="top" style="padding:2px 0;color:${INK}" dir="auto">${linesHtml(value.split('\n'))}</td></tr>`,
      )}</table>
`;
    case 'button':
      return html`<p style="margin:0 0 8px"><a href="${block.url}" style="display:inline-block;padding:12px 20px;background:${INK};color:${CARD};border:1px solid ${CARD};font-weight:bold;text-decoration:none">${block.label}</a></p>
<p class="quiet" style="margin:0 0 16px;color:${QUIET};font-size:13px;word-break:break-all"><a class="link" href="${block.url}" style="color:${LINK}">${block.url}</a></p>
`;
    case 'code':
      return html`<table role="presentation" class="rule" width="100%" cellpadding="0" cellspacing="0" style="margin:0 0 16px;border:1px solid ${RULE}"><tr><td class="ink" align="center" style="padding:16px;color:${INK};${FONT};font-size:16px;line-height:1.5">
<img src="cid:${block.cid}" width="${CODE_WIDTH}" height="${CODE_WIDTH}" alt="${block.alt}" style="display:block;background:#ffffff;color:${INK};border:0">
<p class="ink" style="margin:8px 0 0;font-family:monospace;font-size:18px;color:${INK}">${block.code}</p>
${block.lines.map((line) => html`<p class="ink" style="margin:4px 0 0;color:${INK}" dir="auto">${line}</p>`)}</td></tr></table>
`;
  }
}

const linesHtml = (lines: readonly string[]): Html =>
  html`${lines.map((line, index) => (index === 0 ? line : html`<br>${line}`))}`;

export function textOf({ siteName, heading, blocks, footer, footerLink }: MailBody): string {
  const last = footerLink ? `${footer}\n${footerLink.label}: ${footerLink.url}` : footer;
  return `${[siteName, heading, ...blocks.map(blockText), '-- ', last].join('\n\n').replace('-- \n\n', '-- \n')}\n`;
}

function blockText(block: Block): string {
  switch (block.kind) {
    case 'text':
      return block.text;
    case 'heading':
      return `${block.text}\n${'-'.repeat(Math.min([...block.text].length, 60))}`;
    case 'facts':
      return block.rows.map(([label, value]) => `${label}: ${value.replaceAll('\n', '\n  ')}`).join('\n');
    case 'button':
      return `${block.label}:\n${block.url}`;
    case 'code':
      return [block.code, ...block.lines].join('\n');
  }
}
