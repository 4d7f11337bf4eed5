const MAX_MESSAGES = 5;
/** An alarm: the service could not prove what it shows. Failed requests are a `TenorError`. */
export class VerificationError extends Error {
    name = 'VerificationError';
    /** All problems that were found, at least one. */
    problems;
    constructor(problems) {
        const messages = problems.slice(0, MAX_MESSAGES).map(({ message }) => message);
        const remaining = problems.length - messages.length;
        if (remaining > 0)
            messages.push(`There are ${remaining} more problems.`);
        super(messages.join('\n'));
        this.problems = problems;
    }
}
export function createAlarm(problem, message, subject = {}) {
    return new VerificationError([{ problem, message, ...subject }]);
}
