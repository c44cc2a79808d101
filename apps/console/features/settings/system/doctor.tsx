import { useQuery } from '@tanstack/react-query';
import type { System } from '../../../../../packages/client/src/marquee-client.ts';
import { read } from '../../../data/queries.ts';
import { Button } from '../../../ui/button.tsx';
import { Failure } from '../../../ui/states.tsx';
import { t } from '../routes.ts';

type Findings = NonNullable<System['doctor']>;

/** What `marquee doctor` finds, which reads all records and is therefore asked for. */
export function Doctor() {
  const { data, error, isFetching, refetch } = useQuery(
    read('GET /admin/v1/system', { doctor: true }, { isOn: false }),
  );
  return (
    <section className="form-section" aria-labelledby="doctor">
      <h2 id="doctor">{t('section.doctor')}</h2>
      <p className="hint">{t('hint.doctor')}</p>
      <div role="status">{data?.doctor && !isFetching && <Report findings={data.doctor} />}</div>
      {error && !isFetching && <Failure error={error} />}
      <div>
        <Button icon="search" isPending={isFetching} onPress={() => void refetch()}>
          {t('doctor.examine')}
        </Button>
      </div>
    </section>
  );
}

function Report({ findings: { count, counters, incomplete, uncounted } }: { findings: Findings }) {
  if (count === 0)
    return (
      <p>
        <span className="badge good">{t('doctor.sound')}</span>
      </p>
    );
  return (
    <>
      <p>
        <span className="badge bad">{t('doctor.findings', { count })}</span>
      </p>
      <ul className="lines">
        {counters.map(({ counter, id, stored, counted }) => (
          <li key={`${counter} ${id}`}>
            <code>{`${counter} ${id}`}</code> {t('doctor.counter', { stored, counted })}
          </li>
        ))}
        {incomplete.map(({ what, count: records, example }) => (
          <li key={what}>{t('doctor.incomplete', { what, count: records, id: String(example) })}</li>
        ))}
        {uncounted.map((part) => (
          <li key={part}>{t('doctor.uncounted', { part })}</li>
        ))}
      </ul>
      <p className="hint">{t('doctor.mend')}</p>
    </>
  );
}
