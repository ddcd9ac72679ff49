import { ExternalLink } from 'lucide-react';
import { buttonClass } from '../../ui/button.tsx';

/** Opens the public chat in a new tab. */
export function AskTheAssistant() {
  return (
    <a href="/chat-embed" target="_blank" rel="noopener" className={buttonClass({})}>
      <ExternalLink aria-hidden="true" />
      Ask the assistant
    </a>
  );
}
