import type { System } from '../../../../packages/client/src/marquee-client.ts';
import { t } from './routes.ts';

type Setting = System['settings'][number];

/** The value of a setting of the server as people read it; secrets are never shown. */
export function settingValue(setting: Setting | undefined): string {
  if (!setting) return '—';
  const { source, value, preset, is_secret } = setting;
  if (source === 'default') return t('system.default', { value: preset });
  return is_secret ? t('system.secret') : (value ?? '—');
}
