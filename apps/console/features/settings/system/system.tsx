import { useQuery } from '@tanstack/react-query';
import type { System } from '../../../../../packages/client/src/marquee-client.ts';
import { read } from '../../../data/queries.ts';
import { when } from '../../../i18n/formats.ts';
import { language } from '../../../i18n/texts.ts';
import { Button } from '../../../ui/button.tsx';
import { Failure, Loaded } from '../../../ui/states.tsx';
import { t } from '../routes.ts';
import { settingValue } from '../server-settings.tsx';
import { SettingsPage } from '../settings-page.tsx';
import { bytes, jobText, span } from './system-values.ts';

/** State of the server, read-only. */
export function Screen() {
  const system = useQuery(read('GET /admin/v1/system'));
  return (
    <SettingsPage name="system">
      <Loaded query={system}>
        {(data) => (
          <div className="settings-form">
            <Facts system={data} />
            <Doctor />
            <Jobs jobs={data.jobs} />
            <Settings settings={data.settings} />
          </div>
        )}
      </Loaded>
    </SettingsPage>
  );
}

function Facts({ system: { version, runtime, uptime, workers, health, database, disk } }: { system: System }) {
  const facts: readonly (readonly [string, string])[] = [
    [t('system.version'), `Marquee ${version} · Node.js ${runtime.replace(/^v/, '')}`],
    [t('system.uptime'), span(uptime, language)],
    [t('system.workers'), String(workers)],
    [t('system.database'), `${DATABASES[database.kind]} · ${bytes(database.size, language)} · ${database.schema}`],
    [
      t('system.disk'),
      disk ? t('system.disk_of', { free: bytes(disk.free, language), size: bytes(disk.size, language) }) : '—',
    ],
  ];
  return (
    <section className="form-section" aria-labelledby="state">
      <h2 id="state">
        {t('section.state')}{' '}
        <span className={health === 'ok' ? 'badge good' : 'badge warn'}>{t(`system.health.${health}`)}</span>
      </h2>
      <dl className="facts-grid">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt className="soft">{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

const DATABASES = { sqlite: 'SQLite', postgres: 'PostgreSQL' } as const;

/** Description of a periodic job; the server's name if the console has none. */
function jobName(name: string): string {
  const text = jobText(name);
  return text === undefined ? name : t(text as 'job.publish');
}

/** Seconds until a due run is late: the server records runs every five minutes. */
const LATE = 600;

function lastRun(run: string | null, interval: number): string {
  if (!run) return t('system.never');
  const ago = (Date.now() - Date.parse(`${run.replace(' ', 'T')}Z`)) / 1000;
  return ago < interval + LATE ? t('system.on_time') : t('system.ran', { when: when.ago(run) });
}

function Jobs({ jobs }: { jobs: System['jobs'] }) {
  return (
    <section className="form-section" aria-labelledby="jobs">
      <h2 id="jobs">{t('section.jobs')}</h2>
      <ul className="lines">
        {jobs.map(({ name, interval, run_utc, failed_utc }) => (
          <li key={name}>
            <span>
              {jobName(name)} <span className="soft">{t('system.every', { span: span(interval, language) })}</span>
            </span>
            <span className="soft">{lastRun(run_utc, interval)}</span>
            {failed_utc && <span className="badge warn">{t('system.failed', { when: when.ago(failed_utc) })}</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Settings({ settings }: { settings: System['settings'] }) {
  const isSet = ({ source }: System['settings'][number]) => source !== 'default';
  const others = settings.filter((setting) => !isSet(setting));
  return (
    <section className="form-section" aria-labelledby="environment">
      <h2 id="environment">{t('section.environment')}</h2>
      <p className="hint">{t('hint.environment')}</p>
      <SettingLines settings={settings.filter(isSet)} />
      <details>
        <summary>{t('system.defaults', { count: others.length })}</summary>
        <SettingLines settings={others} />
      </details>
    </section>
  );
}

function SettingLines({ settings }: { settings: System['settings'] }) {
  return (
    <dl className="lines">
      {settings.map((setting) => (
        <div key={setting.name}>
          <dt>
            <code>{setting.name}</code>
          </dt>
          <dd>{settingValue(setting)}</dd>
        </div>
      ))}
    </dl>
  );
}

type Findings = NonNullable<System['doctor']>;

/** Findings of `marquee doctor`, which runs on request since it reads all records. */
function Doctor() {
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
