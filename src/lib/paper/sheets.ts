/** Content of PDF documents and passes: plain texts in the language of their reader, complete except for the layout. */

export interface TicketSheet {
  kind: 'tickets';
  language: string;
  /** Title of the file. */
  title: string;
  siteName: string;
  /** Sentence for a document with replaced characters. */
  replaced: string;
  /** One page each. */
  tickets: readonly PaperTicket[];
}

export interface PaperTicket {
  event: string;
  /** For example, that the event is cancelled; shown above the event. */
  warnings: readonly string[];
  /** Date, and lines of the address. */
  facts: readonly PaperFact[];
  /** Holder, type of ticket and number of the order. */
  holder: readonly PaperFact[];
  /** Content of the QR code. */
  content: string;
  /** Text below the code. */
  code: string;
  /** Text alternative of the code, for screen readers. */
  alt: string;
  /** Dates of a series pass, with a heading; absent for other tickets. */
  dates?: { heading: string; lines: readonly string[] };
  notes: readonly string[];
}

export interface PaperFact {
  label: string;
  lines: readonly string[];
  /** Shown in large letters. */
  isMain?: boolean;
}

export interface InvoiceSheet {
  kind: 'invoice';
  language: string;
  title: string;
  siteName: string;
  replaced: string;
  seller: readonly string[];
  customer: readonly string[];
  facts: readonly PaperFact[];
  items: PaperTable;
  taxes?: PaperTable & { caption: string };
  notes: readonly string[];
}

/** All columns but the first hold amounts, aligned on the right. */
export interface PaperTable {
  head: readonly string[];
  /** The first cell may have several lines; all but its first line are shown smaller. */
  rows: readonly { cells: readonly string[]; isTotal?: boolean }[];
}

/** A ticket for Apple Wallet. */
export interface PassSheet {
  kind: 'pass';
  /** `pass.json`, as Apple describes it. */
  pass: Readonly<Record<string, unknown>>;
  /** Pictures by the name of their file. */
  pictures: Readonly<Record<string, Uint8Array>>;
  /** PEM. */
  certificates: { wwdr: string; signerCert: string; signerKey: string };
}

export type Sheet = TicketSheet | InvoiceSheet | PassSheet;
