import { Button } from '../parts/button.tsx';
import { t } from './texts.ts';

interface Logo {
  id: number;
  url: string;
}

interface LogoFieldProps {
  value: Logo | null;
  onChange: (logo: Logo | null) => void;
  problem: string | undefined;
}

export function LogoField({ value, onChange, problem }: LogoFieldProps) {
  return (
    <>
      <p className="hint">{t('hint.logo')}</p>
      {value && <img className="logo" src={value.url} alt="" />}
      {problem && <p className="form-problem">{problem}</p>}
      {value && <Button onPress={() => onChange(null)}>{t('logo.remove')}</Button>}
    </>
  );
}
