import { Lock } from 'lucide-react';
import { gateChallenge } from '../../api/gate/challenge.ts';

/** Tells admins that the gate is closed and how to open the site. Renders nothing if it is open. */
export function GateNotice() {
  if (!gateChallenge()) return null;
  return (
    <p role="note" className="flex gap-3 rounded-md border border-line bg-surface px-5 py-3 text-muted">
      <Lock aria-hidden="true" className="mt-1 size-4.5 shrink-0" />
      <span>
        <strong className="font-medium text-ink">The preview gate is on.</strong> Visitors need the passcode. People who
        are signed in, or who open a link from one of our emails, do not. To open the site to everyone, set{' '}
        <code className="font-mono text-sm">PREVIEW_GATE=off</code> and restart the server.
      </span>
    </p>
  );
}
