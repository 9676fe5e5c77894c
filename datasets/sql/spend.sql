-- What calls cost, by day, suite, system, purpose, and where the cost comes from (the endpoint's word, a price, or nothing).
CREATE OR REPLACE VIEW spend AS
SELECT CAST(asked_at AS DATE) AS day, suite, system_id, purpose, cost_from, count(*) AS n_calls, sum(cost_usd) AS cost_usd
FROM calls
GROUP BY ALL;
