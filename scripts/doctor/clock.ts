import { type Finding, failure, ok, warning } from './finding.ts';

/** Lifetime of a TOTP code. Object stores reject signatures after 15 minutes. */
const ERROR_ABOVE_S = 30;
const WARN_ABOVE_S = 5;

/** Compares two clocks. @param before, after this machine's time before and after the request, in ms */
export function clockFinding(host: string, remoteTime: Date, before: number, after: number): Finding {
  const aheadMs = Math.max(0, before - remoteTime.getTime());
  const behindMs = Math.max(0, remoteTime.getTime() - after);
  const seconds = Math.round(Math.max(aheadMs, behindMs) / 1000);
  const message = `this machine's clock is ${seconds} s ${aheadMs > behindMs ? 'ahead of' : 'behind'} the clock of ${host}`;
  if (seconds > ERROR_ABOVE_S)
    return failure('Clock', `${message}. Synchronize both with a time server (chrony, systemd-timesyncd).`);
  if (seconds > WARN_ABOVE_S)
    return warning('Clock', `${message}. Check that both are synchronized with a time server.`);
  return ok('Clock', `the clocks of this machine and ${host} agree.`);
}
