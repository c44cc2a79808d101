import { useQuery } from '@tanstack/react-query';
import type { System } from '../../../../packages/client/src/marquee-client.ts';
import { read } from '../../data/queries.ts';
import { Loaded } from '../../ui/states.tsx';
import { LockedField } from './fields.tsx';
import { t } from './routes.ts';

/** Settings of the server's environment with a label in the console. */
type Variable =
  | 'MARQUEE_PER_PAGE'
  | 'MARQUEE_GEO_RADIUS'
  | 'MARQUEE_MAP_TILES'
  | 'MARQUEE_CART_HOLD'
  | 'MARQUEE_ORDER_HOLD';

interface ServerSettingsProps {
  title: string;
  names: readonly Variable[];
}

/** Settings from the server's environment, read-only. */
export function ServerSettings({ title, names }: ServerSettingsProps) {
  const system = useQuery(read('GET /admin/v1/system'));
  const settings = new Map(system.data?.settings.map((setting) => [setting.name, setting]));
  return (
    <section className="form-section" aria-label={title}>
      <h2>{title}</h2>
      <Loaded query={system} rows={names.length}>
        {() => (
          <div className="form-row">
            {names.map((name) => (
              <LockedField
                key={name}
                label={t(`server.${name}`)}
                value={settingValue(settings.get(name))}
                variable={name}
              />
            ))}
          </div>
        )}
      </Loaded>
    </section>
  );
}

type Setting = System['settings'][number];

/** Readable value of a server setting; secrets are never shown. */
export function settingValue(setting: Setting | undefined): string {
  if (!setting) return '—';
  const { source, value, preset, is_secret } = setting;
  if (source === 'default') return t('system.default', { value: preset });
  return is_secret ? t('system.secret') : (value ?? '—');
}
