-- Czech minus English accuracy over fields that both twins have (D-15), pairs with both twins scored, as SQL over grades.
CREATE OR REPLACE VIEW language_gaps AS
WITH marks AS (
  SELECT g.suite, g.edition, g.system_id, p.split, p.pair_id, p.language, g.item, g.points, g.max_points,
         count(DISTINCT p.language) OVER (PARTITION BY g.suite, g.edition, g.system_id, p.pair_id, g.item) AS n_languages
  FROM grades g
  JOIN profiles p USING (suite, edition, system_id, case_id, trial)
  WHERE g.judge = 'program' AND g.pass_name = 'atomic' AND g.max_points > 0 AND p.is_scored AND len(p.scores) = 0
    AND g.suite IN (SELECT suite FROM tendencies WHERE metric = 'field_accuracy')
    AND g.label NOT IN ('absent', 'invented')
)
SELECT suite, edition, system_id, split, 'overall' AS dimension, 'all' AS group_name, 'language_gap' AS metric,
       CAST(sum(points) FILTER (language = 'cs') / sum(max_points) FILTER (language = 'cs')
            - sum(points) FILTER (language = 'en') / sum(max_points) FILTER (language = 'en') AS DOUBLE) AS value,
       count(DISTINCT pair_id) AS n_documents
FROM marks
WHERE n_languages = 2
GROUP BY ALL;
