import type { Organizer, Venue } from '../../../../packages/client/src/marquee-client.ts';
import { t } from './routes.ts';

const MEMBERS = ['address', 'zip', 'city', 'country', 'phone', 'email', 'website'] as const;

/** A record for who may not change it. */
export function RecordShown({ record }: { record: Venue | Organizer }) {
  const lines = MEMBERS.flatMap((name) => {
    const text = Reflect.get(record, name);
    return typeof text === 'string' ? [{ name, text }] : [];
  });
  return (
    <section className="form-section" aria-label={t('details')}>
      {lines.length === 0 && <p className="soft">{t('details.none')}</p>}
      <dl className="linked-facts">
        {lines.map(({ name, text }) => (
          <div key={name}>
            <dt>{t(`field.${name}`)}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
