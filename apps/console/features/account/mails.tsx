import { useState } from 'react';
import type { Me } from '../../../../packages/client/src/marquee-client.ts';
import { call } from '../../../client/call.ts';
import { useMe, useSite } from '../../data/account.ts';
import { useAction } from '../../data/actions.ts';
import { refresh } from '../../data/queries.ts';
import { languageName } from '../../i18n/formats.ts';
import { SelectField, Switch } from '../../ui/fields.tsx';
import { toast, toastProblem } from '../../ui/toast.tsx';
import { t } from './routes.ts';

type Alert = Me['alerts'][number];

/** Language of mails to the account, and the alerts that it gets. */
export function Mails() {
  const me = useMe();
  const { languages, sends_mail: sendsMail } = useSite();
  const [language, setLanguage] = useState(me.language);
  const [alerts, setAlerts] = useState<readonly Alert[]>(me.alerts);
  const save = useAction(
    (change: { language?: string; alerts?: Alert[] }) => call('PATCH /admin/v1/users/{id}', { id: me.id, ...change }),
    {
      onSuccess: () => {
        toast(t('mails.saved'));
        return refresh('/admin/v1/me');
      },
      onError: toastProblem,
    },
  );
  const choose = (kind: Alert, isOn: boolean) => {
    const next = me.available_alerts.filter((one) => (one === kind ? isOn : alerts.includes(one)));
    setAlerts(next);
    save.run({ alerts: next });
  };
  return (
    <section className="form-section" aria-labelledby="mails">
      <h2 id="mails">{t('mails')}</h2>
      {!sendsMail && <p className="soft">{t('mails.none')}</p>}
      {languages.length > 1 && (
        <SelectField
          label={t('language')}
          value={language}
          onChange={(next) => {
            setLanguage(next);
            save.run({ language: next });
          }}
          choices={[
            { value: '', label: t('language.site') },
            ...languages.map((code) => ({ value: code, label: languageName(code) })),
          ]}
        />
      )}
      {me.available_alerts.length > 0 && (
        <fieldset className="form">
          <legend>{t('alerts')}</legend>
          {me.available_alerts.map((kind) => (
            <Switch key={kind} isSelected={alerts.includes(kind)} onChange={(isOn) => choose(kind, isOn)}>
              {t(`alert.${kind}`)}
            </Switch>
          ))}
        </fieldset>
      )}
    </section>
  );
}
