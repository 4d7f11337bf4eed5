/** The lines of a body, without holding all of it as one text. */
export async function* readLines({ body }) {
    if (!body)
        return;
    const reader = body.getReader();
    const decoder = new TextDecoder();
    let tail = '';
    for (;;) {
        const { done, value } = await reader.read();
        const lines = (tail + decoder.decode(value, { stream: !done })).split('\n');
        tail = lines.pop() ?? '';
        for (const line of lines)
            yield line;
        if (!done)
            continue;
        if (tail !== '')
            yield tail;
        return;
    }
}
