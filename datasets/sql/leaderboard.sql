-- The standing of the newest edition of every suite over documents: public part, by falling share of right fields.
CREATE OR REPLACE VIEW leaderboard AS
WITH newest AS (
  SELECT suite, arg_max(edition, run_date || run_id) AS edition FROM tendencies GROUP BY suite
)
SELECT t.suite, t.edition, t.system_id,
       max(t.value) FILTER (t.metric = 'field_accuracy') AS field_accuracy,
       max(t.low) FILTER (t.metric = 'field_accuracy') AS field_accuracy_low,
       max(t.high) FILTER (t.metric = 'field_accuracy') AS field_accuracy_high,
       max(t.value) FILTER (t.metric = 'faultless') AS faultless,
       max(t.value) FILTER (t.metric = 'cost_per_1000_usd') AS cost_per_1000_usd,
       max(t.n_documents) FILTER (t.metric = 'field_accuracy') AS n_documents
FROM tendencies t
JOIN newest USING (suite, edition)
WHERE t.dimension = 'overall' AND t.split = 'public'
GROUP BY ALL
HAVING field_accuracy IS NOT NULL
ORDER BY suite, field_accuracy DESC;
