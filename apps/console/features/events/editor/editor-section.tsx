import type { ReactNode } from 'react';
import type { Event } from '../../../../../packages/client/src/marquee-client.ts';
import type { EditedRecord } from '../../../shared/record/use-record.ts';
import { t } from '../routes.ts';
import type { EventFields } from './event-kind.ts';

export type EditedEvent = EditedRecord<Event, EventFields>;

/** Sections of the form, in order. */
const SECTIONS = [
  ...(['basics', 'place', 'text', 'picture', 'tickets'] as const),
  ...(['sorting', 'people', 'visibility', 'addresses'] as const),
];
export type EditorSectionName = (typeof SECTIONS)[number];

/** Label of a field of the form; parts of a save that are no fields have none. */
export const labelOf = (name: string): string =>
  t(`field.${name as Exclude<keyof EventFields, 'scope' | 'confirm_holders'>}`);

/** Section of the form; the index links to it. */
export function EditorSection({ name, children }: { name: EditorSectionName; children: ReactNode }) {
  return (
    <section className="form-section" aria-labelledby={name}>
      <h2 id={name} tabIndex={-1}>
        {t(`section.${name}`)}
      </h2>
      {children}
    </section>
  );
}

/** Index of a long form, with links to its sections. */
export function EditorIndex() {
  return (
    <nav className="editor-index" aria-label={t('section.index')}>
      {SECTIONS.map((name) => (
        <a
          key={name}
          href={`#${name}`}
          onClick={(event) => {
            event.preventDefault();
            document.getElementById(name)?.focus();
          }}
        >
          {t(`section.${name}`)}
        </a>
      ))}
    </nav>
  );
}
