import { ExternalLink } from 'lucide-react';
import { buttonClass } from '../../ui/button.tsx';

/** Opens the chat as visitors have it, in a tab of its own. */
export function AskTheAssistant() {
  return (
    <a href="/chat-embed" target="_blank" rel="noopener" className={buttonClass({})}>
      <ExternalLink aria-hidden="true" />
      Ask the assistant
    </a>
  );
}
