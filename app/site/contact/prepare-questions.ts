import type { PublishedQuestion } from '../../content/faq/published.ts';
import { markdownText } from '../../ui/lib/markdown-text.ts';
import { LazyQuestions } from './lazy-questions.ts';

/**
 * Waits on the server, before the page is rendered, for the code that draws the section.
 * @returns what search engines are told, as JSON-LD; nothing without questions
 */
export async function prepareQuestions(questions: readonly PublishedQuestion[]) {
  if (questions.length === 0) return [];
  await LazyQuestions.preload();
  const mainEntity = questions.map(({ question, answer }) => ({
    '@type': 'Question',
    name: question,
    acceptedAnswer: { '@type': 'Answer', text: markdownText(answer) },
  }));
  return [{ '@type': 'FAQPage', mainEntity }];
}
