import type { ReactNode } from 'react';
import { Icon } from './Icon.tsx';

interface AlertProps {
  tone: 'note' | 'good' | 'warn' | 'bad';
  title: string;
  action?: ReactNode;
  children: ReactNode;
}
const signs = { note: 'info', good: 'info', warn: 'warn', bad: 'critical' } as const;

/** The same as `ui/Alert.astro`, for islands. */
export const Alert = ({ tone, title, action, children }: AlertProps) => (
  <div className={`say ${tone}`} role="note">
    <Icon name={signs[tone]} />
    <b>{title}</b>
    <p>{children}</p>
    {action}
  </div>
);
