import type { PublishedQuestion } from '../../content/faq/published.ts';
import { markdownText } from '../../ui/lib/markdown-text.ts';
import { LazyQuestions } from './lazy-questions.ts';

/**
 * Preloads the code of the FAQ section, so that the server can render it.
 *
 * @returns JSON-LD for search engines, empty if there are no questions
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
